#include "core/worlds/word_lists.h"

#include <doctest/doctest.h>

#include <algorithm>

#include "core/base/error.h"
#include "core/text/text_file.h"
#include "core/worlds/coreference.h"
#include "core/worlds/frame_world.h"
#include "core/worlds/order.h"
#include "core/worlds/translation.h"
#include "tests/core/error_of.h"

using namespace glassformer;

namespace {

std::string parse_error(const std::string& text) {
    return error_of([&] { WordLists::parse(text, "my.words"); });
}

/// Returns the world's file with the first line that begins with `begin` replaced by `line`.
std::string changed(const std::string& world, const std::string& begin, const std::string& line) {
    std::string text = read_text_file(GLASSFORMER_SOURCE_DIR "/assets/worlds/" + world + ".words", 1 << 20), out;
    bool found = false;
    for (std::size_t at = 0; at < text.size();) {
        const std::size_t end = std::min(text.find('\n', at), text.size());
        const bool replace = !found && text.compare(at, begin.size(), begin) == 0;
        out += replace ? line : text.substr(at, end - at);
        out += '\n';
        found = found || replace;
        at = end + 1;
    }
    REQUIRE(found);
    return out;
}

template <typename World>
std::string world_error(const std::string& world, const std::string& begin, const std::string& line) {
    const std::string text = changed(world, begin, line);
    return error_of([&] { World::parse(text, "my.words"); });
}

bool says(const std::string& message, const std::string& part) {
    CAPTURE(message);
    return message.starts_with("my.words") && contains(message, part);
}

}  // namespace

TEST_CASE("lists hold words in columns, and may continue in another line") {
    const WordLists lists =
        WordLists::parse("title = Two words\na = Cat / Le Chat | dog/le chien # two\r\na = x / y\n", "w/my.words");
    CHECK(lists.name() == "my");
    CHECK(lists.title() == "Two words");
    const std::vector<ListEntry>& entries = lists.phrases("a", 2);
    REQUIRE(entries.size() == 3);
    CHECK(entries[0].word() == "cat");
    CHECK(entries[0].columns[1] == std::vector<std::string>{"le", "chat"});
    CHECK(entries[2].line == 3);
    CHECK(WordLists::parse("a = b\n", "my.words").title() == "my");
}

TEST_CASE("a malformed file is refused with its name and line") {
    CHECK(says(parse_error("a = b\nnonsense\n"), ":2: line not understood"));
    CHECK(says(parse_error("a b = c\n"), ":1: line not understood"));
    CHECK(says(parse_error("a = b | | c\n"), ":1: the list 'a' has an empty entry"));
    CHECK(says(parse_error("a =\n"), ":1: the list 'a' has an empty entry"));
    CHECK(says(parse_error("a = b / \n"), "empty entry"));
    CHECK(says(parse_error("title = a\ntitle = b\n"), ":2: the title appears twice"));
    CHECK(says(parse_error("a = b\na = \xff\n"), ":2"));
    std::string many = "a = b";
    for (std::size_t i = 0; i < WordLists::max_entries; ++i) many += "|b";
    CHECK(says(parse_error(many), "more than 1000 entries"));
    const WordLists lists = WordLists::parse("a = b c\nd = e | e\nf = g / h", "my.words");
    CHECK(says(error_of([&] { lists.words("a"); }), ":1: the list 'a' contains single words"));
    CHECK(says(error_of([&] { lists.words("d"); }), ":2: the word 'e' appears twice"));
    CHECK(says(error_of([&] { lists.words("f"); }), ":3: an entry of 'f' needs 1 columns"));
    CHECK(says(error_of([&] { lists.words("z"); }), "there is no list 'z'"));
    CHECK(says(error_of([&] { lists.expect({"a", "d"}); }), ":3: unknown list 'f'"));
}

TEST_CASE("frames: braces mark slots, each of them once") {
    const WordLists lists = WordLists::parse("s = a {x} b.|{y}|{x|x}|{x} {x}|{}|{ x y }", "my.words");
    const std::vector<ListEntry>& entries = lists.phrases("s");
    const auto error = [&](std::size_t i) { return error_of([&] { frame_of(lists, entries[i], {"x"}); }); };
    const Frame frame = frame_of(lists, entries[0], {"x"});
    const SlotWord words[] = {{"z", "no"}, {"x", "yes"}};
    CHECK(fill(frame, words) == std::vector<std::string>{"a", "yes", "b", "."});
    CHECK(position_of(frame, true, "x") == 1);
    CHECK(position_of(frame, false, "b") == 2);
    CHECK(position_of(frame, false, "x") == -1);
    CHECK(says(error(1), "unknown slot {y}"));
    CHECK(says(error(2), "a { without its }"));
    CHECK(says(error(3), "a } without its {"));
    CHECK(says(error(4), "appears twice"));
    CHECK(says(error(5), "a { without its }"));
    CHECK(says(error(6), "a { without its }"));
}

TEST_CASE("worlds refuse files that break their rules, and the error names the file") {
    using C = CoreferenceWorld;
    CHECK(says(world_error<C>("coreference", "of_place", "of_place = tired | wide | icy | steep | deep"),
               "also said of animals"));
    CHECK(says(world_error<C>("coreference", "of_place", "of_place = wide | icy"),
               "at least five adjectives of animals"));
    CHECK(says(world_error<C>("coreference", "sentence", "sentence = the {animal} is {of}."), "has no {place}"));
    CHECK(says(world_error<C>("coreference", "verb ", "verb = cross"), "needs 2 columns"));
    CHECK(says(world_error<C>("coreference", "sample", "sample = The chicken did not fly. It means the chicken."),
               "not a true"));
    CHECK(says(
        world_error<C>("coreference", "sample",
                       "sample = The chicken did not cross the road because it was too wide. It means the chicken."),
        "not a true"));
    CHECK(says(world_error<OrderWorld>("order", "negative", "negative = bad | good | poor | ugly | dull"),
               "also a positive word"));
    CHECK(says(world_error<OrderWorld>("order", "sentence", "sentence = the {noun} was {meant}."), "has no {denied}"));
    CHECK(says(world_error<OrderWorld>("order", "sample", "sample = The food was bad, not awful at all."),
               "not a true sentence"));
    using T = TranslationWorld;
    CHECK(says(world_error<T>("translation", "before", "before = other / autre / autre"), "would change the article"));
    CHECK(
        says(world_error<T>("translation", "somewhere", "somewhere = school / la école"), "would change the article"));
    CHECK(says(world_error<T>("translation", "somewhere", "somewhere = school"), "needs 2 columns"));
    CHECK(
        says(world_error<T>("translation", "somewhere", "somewhere = school / une salle"), "the classes are: le, la"));
    CHECK(says(world_error<T>("translation", "somewhere", "somewhere = cat / la salle"), "'cat' appears twice"));
    CHECK(says(world_error<T>("translation", "sentence", "sentence = now {someone} {verb}."),
               "'now' has no translation"));
    CHECK(says(world_error<T>("translation", "sample", "sample = The cat sleeps."), "not a true sentence"));
}
