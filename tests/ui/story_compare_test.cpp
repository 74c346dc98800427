#include <algorithm>
#include <cmath>

#include "app/common/word_alignment.h"
#include "app/session/startup.h"
#include "tests/ui/opening_sentences.h"
#include "tests/ui/published_folder.h"
#include "tests/ui/story.h"

using namespace glassformer;
using namespace glassformer::app;

namespace {

constexpr const char* shipped_models = GLASSFORMER_SOURCE_DIR "/assets/models/";
constexpr int bat_in_a = 3, foul_in_a = 7;

/// Opens the list at the top and chooses a kind of comparison.
std::string compare(Story& story, const std::string& kind) {
    const std::string message = story.play("click compare\nframes 2\nclick \"compare/" + kind + "\"\nframes 2");
    story.settle();
    return message;
}

std::string show_difference(Story& story) { return story.play("click \"view/Difference\"\nframes 3"); }

float pattern_weight(const Trace& trace, int layer, int head, int query, int key) {
    return pattern_row(trace, layer, head, query)[key];
}

/// One head of one trace.
struct Side {
    const Trace& trace;
    int layer, head;
    float weight(int query, int key) const { return pattern_weight(trace, layer, head, query, key); }
};

/// Compares every cell of the three maps of two traces of one text with core's own values.
void expect_maps(Differences& differences, const Story& story, const Side& a, const Side& b) {
    const int n = a.trace.positions();
    for (int query = 0; query < n; ++query)
        for (int key = 0; key < n; ++key) {
            const std::string at = " " + std::to_string(query) + " " + std::to_string(key);
            differences.expect(story, "difference/A" + at, static_cast<double>(a.weight(query, key)));
            differences.expect(story, "difference/B" + at, static_cast<double>(b.weight(query, key)));
            const float difference = b.weight(query, key) - a.weight(query, key);
            differences.expect(story, "difference/cell" + at, static_cast<double>(difference));
        }
}

/// The largest differences by magnitude, as the list must show them.
std::vector<float> largest_differences(const Side& a, const Side& b, std::size_t count) {
    std::vector<float> all;
    for (int query = 0; query < a.trace.positions(); ++query)
        for (int key = 0; key < a.trace.positions(); ++key) all.push_back(b.weight(query, key) - a.weight(query, key));
    std::ranges::stable_sort(all, std::ranges::greater{}, [](float v) { return std::abs(v); });
    all.resize(std::min(count, all.size()));
    return all;
}

const Parameters& kept(std::int64_t step) {
    const auto& frames = reference().shipped().keyframes;
    const auto found = std::ranges::find(frames, step, &Timeline::Keyframe::step);
    REQUIRE(found != frames.end());
    return found->parameters;
}

}  // namespace

TEST_CASE("the words of two sentences are aligned in order") {
    const std::vector<std::string> a = {"a", "bat", "hit", "a", "ball"}, b = {"a", "ball", "hit", "the", "bat"};
    const std::vector<AlignedWord> found = align_words(a, b);
    CHECK(std::ranges::count_if(found, &AlignedWord::both) == 2);
    CHECK(found.size() == a.size() + b.size() - 2);
    int last_a = -1, last_b = -1;
    for (const AlignedWord& word : found) {
        if (word.both()) CHECK(a[word.a] == b[word.b]);
        if (word.a >= 0) CHECK(word.a == last_a + 1);
        if (word.b >= 0) CHECK(word.b == last_b + 1);
        last_a = std::max(last_a, word.a), last_b = std::max(last_b, word.b);
    }
    // The anchor pair is aligned, even though that leaves fewer words in common.
    const std::vector<AlignedWord> anchored = align_words(a, b, {1, 4});
    CHECK(std::ranges::find(anchored, AlignedWord{1, 4}) != anchored.end());
    CHECK(align_words({}, {}).empty());
    CHECK(align_words(a, {}).size() == a.size());
}

TEST_CASE("story: two heads of one sentence are chosen separately and compared") {
    Story story;
    CHECK(story.play("click \"map/head 0 3\"\nframes 2") == "");
    CHECK(compare(story, "two heads") == "");
    CHECK(story.text("A/headline") == "A · block 0, head 3");
    CHECK(story.play("click B/block\nframes 2\nclick \"B/block/Block 1\"\nframes 2\n"
                     "click B/head\nframes 2\nclick \"B/head/Head 2\"\nframes 2") == "");
    const auto trace = reference().trace(first_sentence);
    // Card B shows A's text in its own head.
    Differences differences;
    for (int key = 0; key < trace->positions(); ++key) {
        const std::string at = " " + std::to_string(key);
        differences.expect(story, "A/weight" + at, static_cast<double>(pattern_weight(*trace, 0, 3, bat_in_a, key)));
        differences.expect(story, "B/weight" + at, static_cast<double>(pattern_weight(*trace, 1, 2, bat_in_a, key)));
    }
    CHECK(story.text("stage/headline") == "Block 1 · head 2");  // B is active
    // The arrow keys act on the active card.
    CHECK(story.play("key Right\nframes 2\nexpect_text B/head \"Head 3\"\nkey Left\nframes 2\nkey a\nframes 2\n"
                     "expect_text stage/headline \"Block 0 · head 3\"\nkey Left\nframes 2\n"
                     "expect_text A/headline \"A · block 0, head 2\"\nexpect_text B/head \"Head 2\"\n"
                     "expect_text B/block \"Block 1\"\nkey Right\nframes 2") == "");
    CHECK(show_difference(story) == "");
    expect_maps(differences, story, {*trace, 0, 3}, {*trace, 1, 2});
    CHECK(differences.report() == "");
    CHECK(differences.compared() == 9 * 9 * 3 + 18);
    CHECK(story.text("difference/title") == "B, block 1, head 2, minus A, block 0, head 3");
    // Choosing a word in one card chooses it in both.
    CHECK(story.play("click \"B/token 5\"\nframes 3\nexpect \"A/token 5\" == 1\nexpect \"B/token 5\" == 1") == "");
    CHECK(story.state().token == std::array<int, 2>{5, 5});
}

TEST_CASE("story: two training steps are compared") {
    Story story;
    CHECK(compare(story, "two steps") == "");
    CHECK(show_difference(story) == "");
    const auto now = reference().trace(first_sentence), first = reference().trace(first_sentence, kept(0));
    const int layer = story.state().layer, head = story.state().head;
    Differences differences;
    expect_maps(differences, story, {*now, layer, head}, {*first, layer, head});
    CHECK(differences.report() == "");
    const std::vector<float> largest = largest_differences({*now, layer, head}, {*first, layer, head}, 10);
    for (std::size_t i = 0; i < largest.size(); ++i)
        CHECK(std::abs(story.value("difference/largest " + std::to_string(i))) ==
              static_cast<double>(std::abs(largest[i])));
    // B's own button shows another step; A stays.
    const std::int64_t second = story.snapshot().kept_steps[1];
    CHECK(story.play("click \"B/step after\"\nframes 3") == "");
    story.settle();
    const auto later = reference().trace(first_sentence, kept(second));
    Differences after;
    expect_maps(after, story, {*now, layer, head}, {*later, layer, head});
    CHECK(after.report() == "");
    // A follows the timeline; B stays.
    story.send(command::LookAt{0});
    CHECK(story.snapshot().sentences[0].step == 0);
    CHECK(story.snapshot().sentences[1].step == second);
    Differences back;
    expect_maps(back, story, {*first, layer, head}, {*later, layer, head});
    CHECK(back.report() == "");
}

TEST_CASE("story: a cell of the difference shows both numbers and selects its words in both cards") {
    Story story;
    CHECK(compare(story, "two steps") == "");
    CHECK(show_difference(story) == "");
    const int layer = story.state().layer, head = story.state().head;
    const auto now = reference().trace(first_sentence), first = reference().trace(first_sentence, kept(0));
    CHECK(story.play("click \"A/token 0\"\nframes 2\nhover \"difference/cell 3 7\"\nframes 2") == "");
    char both[80];
    std::snprintf(both, sizeof both, "B %.4f − A %.4f",
                  static_cast<double>(pattern_weight(*first, layer, head, bat_in_a, foul_in_a)),
                  static_cast<double>(pattern_weight(*now, layer, head, bat_in_a, foul_in_a)));
    CHECK(contains(story.text("tooltip"), both));
    CHECK(story.play("click \"difference/cell 3 7\"\nframes 3") == "");
    CHECK(story.state().token == std::array<int, 2>{bat_in_a, bat_in_a});
    REQUIRE(story.state().trail.size() == 1);
    const TracedCell opened = story.state().trail.back();
    CHECK(opened.slot == 0);
    CHECK(story.shown_trace(0).at(opened.cell) == pattern_weight(*now, layer, head, bat_in_a, foul_in_a));
    // The row of the chosen word.
    for (int key = 0; key < now->positions(); ++key)
        CHECK(story.value("difference/row " + std::to_string(key)) ==
              static_cast<double>(pattern_weight(*first, layer, head, bat_in_a, key) -
                                  pattern_weight(*now, layer, head, bat_in_a, key)));
}

TEST_CASE("story: another model reads A's sentence, or says why it cannot") {
    Story story(StoryOptions{.trained = false, .world = "homonyms"});
    story.send(command::Watch{0, first_sentence});
    CHECK(compare(story, "two models") == "");  // starts with the shipped one of the same world
    CHECK(story.text("B/model") == "homonyms");
    CHECK(show_difference(story) == "");
    const auto trained = reference().trace(first_sentence);
    const int layer = story.state().layer, head = story.state().head;
    Differences differences;
    expect_maps(differences, story, {story.shown_trace(0), layer, head}, {*trained, layer, head});
    CHECK(differences.report() == "");
    // A model that does not know the words.
    CHECK(story.play("click B/model\nframes 2\nclick \"B/model/sorting\"\nframes 3") == "");
    story.settle();
    CHECK(contains(story.text("B/error"), "not in the vocabulary of sorting"));
    CHECK(story.shows("difference/why not"));
    CHECK_FALSE(story.snapshot().sentences[1].trace);
    // A model that reads numbers, and a folder that does not exist: B stays as it was.
    story.send(command::CompareWith{{Comparing::What::models, shipped_models + std::string("regression"), 0}});
    CHECK(story.text("B/error") != "");
    const Comparing before = story.snapshot().comparing;
    story.send(command::CompareWith{{Comparing::What::models, "/no/such/folder", 0}});
    CHECK(story.snapshot().error != "");
    CHECK(story.snapshot().comparing == before);
}

TEST_CASE("story: models of other sizes and worlds are compared in the first twelve views, with choices in range") {
    Story story;
    for (const char* other : {"copying", "order", "induction", "translation", "sample", "regression", "coreference"}) {
        CAPTURE(other);
        story.send(command::CompareWith{{Comparing::What::models, shipped_models + std::string(other), 0}});
        story.state().layer = story.state().head = 99;
        story.state().token = {99, 99};
        story.frames(1);
        const auto in_both = [&](int TransformerConfig::*count) {
            return std::max(story.snapshot().model_of(0).config.*count, story.snapshot().model_of(1).config.*count);
        };
        CHECK(story.state().layer == in_both(&TransformerConfig::n_layers) - 1);
        CHECK(story.state().head == in_both(&TransformerConfig::n_heads) - 1);
        for (const std::size_t slot : {std::size_t{0}, std::size_t{1}})
            CHECK(story.state().token[slot] <
                  std::max(1, static_cast<int>(story.snapshot().sentences[slot].tokens.size())));
        for (std::size_t view = 0; view < 12; ++view) {
            story.state().view = static_cast<int>(view);
            story.state().slot = static_cast<int>(view % 2);
            story.frames(3);
        }
        const WatchedSentence& b = story.snapshot().sentences[1];
        CHECK((b.trace != nullptr) == b.error.empty());
        CHECK(b.model != story.snapshot().model);
    }
}

TEST_CASE("story: Difference has values only for words that both sentences have") {
    Story story;
    CHECK(show_difference(story) == "");
    const auto a = reference().trace(first_sentence), b = reference().trace(second_sentence);
    const int layer = story.state().layer, head = story.state().head;
    const auto words = [&](int slot) {
        std::vector<std::string> texts;
        for (const auto& token : story.snapshot().sentences[slot].tokens) texts.push_back(token.text);
        return texts;
    };
    const std::vector<AlignedWord> aligned = align_words(words(0), words(1), {bat_in_a, 1});
    Differences differences;
    int compared = 0;
    for (std::size_t row = 0; row < aligned.size(); ++row)
        for (std::size_t column = 0; column < aligned.size(); ++column) {
            const std::string label = "difference/cell " + std::to_string(row) + " " + std::to_string(column);
            const AlignedWord &query = aligned[row], &key = aligned[column];
            if (!query.both() || !key.both()) {
                CHECK_FALSE(story.shows(label));
                continue;
            }
            ++compared;
            differences.expect(story, label,
                               static_cast<double>(pattern_weight(*b, layer, head, query.b, key.b) -
                                                   pattern_weight(*a, layer, head, query.a, key.a)));
        }
    CHECK(differences.report() == "");
    CHECK(compared >= 4);
}

TEST_CASE("story: comparisons are undone and redone, and B's own sentence comes back") {
    Story story;
    story.frames(40);
    CHECK(compare(story, "two heads") == "");
    story.frames(40);
    CHECK(story.snapshot().sentences[1].text == first_sentence);
    CHECK(story.play("key Ctrl+z\nframes 4") == "");
    story.settle();
    CHECK(story.snapshot().comparing.of_sentences());
    CHECK(story.snapshot().sentences[1].text == second_sentence);
    CHECK(story.play("key Ctrl+y\nframes 4") == "");
    story.settle();
    CHECK(story.snapshot().comparing.what == Comparing::What::heads);
    CHECK(compare(story, "off") == "");
    CHECK_FALSE(story.shows("B/headline"));
    CHECK(story.snapshot().comparing.of_sentences());
    CHECK(compare(story, "two sentences") == "");
    CHECK(story.snapshot().sentences[1].text == second_sentence);
}

TEST_CASE("story: card B says that it shows A's sentence, and its tooltip has B's own") {
    Story story;
    for (const char* kind : {"two heads", "two steps"}) {
        CAPTURE(kind);
        REQUIRE(compare(story, kind) == "");
        story.settle(3);
        CHECK(story.text("B/headline") == "B · the sentence of A");
        REQUIRE(story.play("hover B/headline\nframes 3") == "");
        CHECK(contains(story.text("tooltip"), second_sentence));
        REQUIRE(compare(story, "two sentences") == "");
        story.settle(3);
        CHECK(story.text("B/headline") == "B · animal");
        CHECK(story.snapshot().sentences[1].text == second_sentence);
    }
}

TEST_CASE("story: card B's other step is run once while nothing changes") {
    Story story;
    story.send(command::CompareWith{{Comparing::What::steps, {}, 0}});
    const std::shared_ptr<const Trace> first = story.snapshot().sentences[1].trace;
    const auto number = story.snapshot().number;
    story.send(command::LimitSpeed{0});
    REQUIRE(story.snapshot().number != number);
    CHECK(story.snapshot().sentences[1].trace == first);
    story.send(command::SetWhatIf{{what_if::HeadOff{1, 2}}});
    CHECK(story.snapshot().sentences[1].trace != first);
    story.send(command::SetWhatIf{});
    story.send(command::Watch{0, second_sentence});
    CHECK(story.snapshot().sentences[1].trace->tokens() == story.snapshot().sentences[0].trace->tokens());
}

TEST_CASE("story: a model that was saved again is compared as it is now") {
    const TemporaryFolder folder;
    const std::string saved = (folder / "model").string();
    Story story({.trained = false});
    story.send(command::Save{saved});
    story.send(command::CompareWith{{Comparing::What::models, saved, 0}});
    CHECK(story.snapshot().sentences[1].step == 0);
    story.make_steps(2);
    story.send(command::Save{saved});
    story.send(command::CompareWith{{Comparing::What::models, saved, 0}});
    CHECK(story.snapshot().sentences[1].step == 2);
}

TEST_CASE("story: with A | B off, another model shows its first sentence") {
    Story story;
    REQUIRE(story.play("click compare/off\nframes 3\nkey b\nframes 3") == "");
    REQUIRE(story.shows("B/headline"));
    story.send(command::OpenModel{GLASSFORMER_SOURCE_DIR "/assets/models/induction"});
    story.frames(2);
    CHECK(story.shows("A/headline"));
    CHECK_FALSE(story.shows("B/headline"));
}

TEST_CASE("story: comparing two models starts with one that can read the text") {
    const TemporaryFolder folder;
    Story story;
    story.send(command::OpenModel{bert_folder(folder).string()});
    story.send(command::Watch{0, "he swung the bat and hit a foul"});
    story.frames(2);
    REQUIRE(story.snapshot().error == "");
    REQUIRE(compare(story, "two models") == "");
    story.settle(3);
    CHECK(story.snapshot().sentences[1].error == "");
    CHECK(story.snapshot().sentences[1].trace);
}

TEST_CASE("story: two sentences without a common word are not said to agree") {
    Story story;
    story.send(command::Watch{0, "the bat flew"});
    story.send(command::Watch{1, "he hit a ball"});
    CHECK(compare(story, "two sentences") == "");
    CHECK(show_difference(story) == "");
    CHECK(story.text("difference/largest") == "The two have no word in common");
    story.send(command::Watch{1, "the bat flew"});
    story.frames(3);
    CHECK(story.text("difference/largest") == "Nothing differs");
}
