#include <algorithm>

#include "app/common/linked_cards.h"
#include "app/session/startup.h"
#include "app/views/registry.h"
#include "core/analysis/what_if_tracer.h"
#include "tests/core/temporary_folder.h"
#include "tests/ui/opening_sentences.h"
#include "tests/ui/published_folder.h"
#include "tests/ui/story.h"

using namespace glassformer;
using namespace glassformer::app;

namespace {

constexpr int bat_in_a = 3, bat_in_b = 1, stop_in_a = 8, stop_in_b = 9;

std::string compare(Story& story, const std::string& kind) {
    const std::string message = story.play("click compare\nframes 2\nclick \"compare/" + kind + "\"\nframes 2");
    story.settle();
    return message;
}

std::string hover(Story& story, const std::string& item) { return story.play("hover \"" + item + "\"\nframes 2"); }

/// The name of the cell highlighted in the other card; "" if there is none.
std::string linked_name(Story& story) {
    const TracedCell& linked = story.state().linked;
    if (linked.cell.node < 0) return "";
    const std::function<void(Command)> nothing = [](const Command&) {};
    const Frame frame{story.host.ui(), story.snapshot(), story.state(), nothing};
    return std::string(Frame::letter(linked.slot)) + " " + frame.cell_name(linked.slot, linked.cell);
}

}  // namespace

TEST_CASE("story: hovering a word highlights it in both cards, if both have it") {
    Story story;
    for (const app::View& view : all_views()) {
        if (!story.offers(view)) continue;
        CAPTURE(view.name);
        CHECK(story.play("click \"view/" + std::string(view.name) + "\"") == "");
        CHECK(hover(story, "A/token " + std::to_string(bat_in_a)) == "");
        CHECK(story.value("A/lit token") == bat_in_a);
        CHECK(story.value("B/lit token") == bat_in_b);
        CHECK(hover(story, "B/token " + std::to_string(stop_in_b)) == "");
        CHECK(story.value("A/lit token") == stop_in_a);
    }
    CHECK(hover(story, "A/token 1") == "");  // "swung" is in A alone
    CHECK(story.value("A/lit token") == 1);
    CHECK_FALSE(story.shows("B/lit token"));
    // The words of a view as well.
    CHECK(story.play("click view/Attention") == "");
    CHECK(hover(story, "A/word " + std::to_string(stop_in_a)) == "");
    CHECK(story.value("B/lit token") == stop_in_b);
    CHECK(story.play("click view/Flow") == "");
    CHECK(hover(story, "flow/B query " + std::to_string(bat_in_b)) == "");
    CHECK(story.value("A/lit token") == bat_in_a);
}

TEST_CASE("story: hovering a number highlights the same word, head and dimension in the other card") {
    Story story;
    CHECK(story.play("click \"map/head 0 3\"\nclick \"A/token 3\"\nclick view/Attention") == "");
    CHECK(hover(story, "A/pattern 3 8") == "");
    CHECK(linked_name(story) == "B pattern[bat → .]");
    CHECK(hover(story, "A/weight 3") == "");
    CHECK(linked_name(story) == "B pattern[bat → bat]");
    CHECK(hover(story, "B/k 9 5") == "");
    CHECK(linked_name(story) == "A k[., 5]");
    CHECK(hover(story, "A/weight 7") == "");  // B has no "foul"
    CHECK(linked_name(story) == "");
    CHECK(story.play("click \"view/Q K V\"") == "");
    CHECK(hover(story, "A/v matrix 3 2") == "");
    CHECK(linked_name(story) == "B v[bat, 2]");
    CHECK(story.play("click view/MLP") == "");
    CHECK(hover(story, "A/neuron 0") == "");
    CHECK(linked_name(story).starts_with("B "));
    CHECK(contains(linked_name(story), "[bat, "));
    // With only one card, there is no other to highlight.
    CHECK(compare(story, "off") == "");
    CHECK(story.play("click view/Attention") == "");
    CHECK(hover(story, "A/weight 3") == "");
    CHECK(linked_name(story) == "");
}

TEST_CASE("story: hovering links the same weight of two heads, and the same cell of two steps") {
    Story story;
    CHECK(story.play("click \"map/head 0 3\"\nclick \"A/token 3\"\nclick view/Attention") == "");
    CHECK(compare(story, "two heads") == "");
    const HeadChoice other = head_of(story.state(), 1);
    CHECK_FALSE(other == HeadChoice{0, 3});
    CHECK(hover(story, "A/weight 7") == "");
    const TracedCell linked = story.state().linked;
    REQUIRE(linked.slot == 1);
    CHECK(story.shown_trace(1).at(linked.cell) ==
          static_cast<double>(pattern_row(*reference().trace(first_sentence), other.layer, other.head, bat_in_a)[7]));
    CHECK(compare(story, "two steps") == "");
    CHECK(hover(story, "A/weight 7") == "");
    CHECK(linked_name(story) == "B pattern[bat → foul]");
}

TEST_CASE("story: what-ifs apply to both of two compared steps, but not to another model, which says so") {
    Story story;
    CHECK(story.play("click \"map/head 0 3\"\nclick \"A/token 3\"") == "");
    CHECK(compare(story, "two steps") == "");
    CHECK(story.play("click \"view/What if\"\nclick \"what if/head 0 3\"") == "");
    story.settle(2);
    const std::vector<WhatIf> off{what_if::HeadOff{0, 3}};
    REQUIRE(story.snapshot().what_if == off);
    WhatIfTracer tracer(reference().backend, reference().shipped().config);
    const auto check_b = [&](const std::vector<WhatIf>& changes) {
        const Trace& b = story.shown_trace(1);
        const auto expected = tracer.trace({{b.tokens()}, 0, {}}, b.parameters(), changes);
        const auto plain = tracer.trace({b.tokens()}, b.parameters());
        CHECK(std::ranges::equal(b.values("logits"), expected->values("logits")));
        CHECK_FALSE(std::ranges::equal(b.values("logits"), plain->values("logits")));
        const auto& original = story.snapshot().sentences[1].original;
        REQUIRE(original);
        CHECK(std::ranges::equal(original->values("logits"), plain->values("logits")));
    };
    CHECK_FALSE(story.shown_trace(1).parameters() == story.shown_trace(0).parameters());
    check_b(off);
    CHECK(story.shows("B/what if/change 0"));
    // A row painted in B is painted in both: they show the same sentence.
    CHECK(story.play("key r\nclick \"what if/paint\"\nkey b\nkey Up\nkey Up\nkey Up\nkey Enter") == "");
    story.settle(2);
    REQUIRE(story.snapshot().what_if.size() == 1);
    CHECK(std::get<what_if::AttentionRow>(story.snapshot().what_if[0]).slot == 0);
    check_b(story.snapshot().what_if);
    CHECK(story.play("key r\nkey Escape") == "");
    // Another model: A's changes are not made there.
    CHECK(compare(story, "two models") == "");
    CHECK(story.text("B/headline") == "B · the sentence of A");
    CHECK(story.play("key a\nkey x") == "");
    story.settle(2);
    CHECK(story.text("B/headline") == "B · unaltered");
    CHECK_FALSE(story.snapshot().sentences[1].original);
}

TEST_CASE("story: tokens of two models correspond if they stand for the same part of the text") {
    const TemporaryFolder folder;
    Story story;
    story.send(command::OpenModel{bert_folder(folder).string()});
    story.send(command::Watch{0, "he hit the Bat and the bats"});
    story.send(command::CompareWith{{Comparing::What::models, GLASSFORMER_SOURCE_DIR "/assets/models/homonyms", 0}});
    story.frames(3);
    for (const int slot : {0, 1}) REQUIRE(story.snapshot().sentences[slot].error == "");
    // [CLS] he hit the bat [UNK] the bat ##s [SEP] and: he hit the bat and the bats
    REQUIRE(story.snapshot().sentences[0].tokens.size() == 10);
    REQUIRE(story.snapshot().sentences[1].tokens.size() == 7);
    const std::function<void(Command)> nothing = [](const Command&) {};
    const Frame frame{story.host.ui(), story.snapshot(), story.state(), nothing};
    const std::vector<int> expected{-1, 0, 1, 2, 3, 4, 5, -1, -1, -1};
    for (int token = 0; token < 10; ++token) {
        CAPTURE(token);
        CHECK(counterpart(frame, 0, token) == expected[static_cast<std::size_t>(token)]);
    }
    CHECK(counterpart(frame, 1, 6) == -1);  // "bats" is two tokens in A
}

TEST_CASE("story: no word is highlighted next to unreadable sentences") {
    Story story;
    REQUIRE(compare(story, "two sentences") == "");
    const std::function<void(Command)> nothing = [](const Command&) {};
    const auto lit = [&] {
        const Frame frame{story.host.ui(), story.snapshot(), story.state(), nothing};
        return counterpart(frame, 0, bat_in_a);
    };
    REQUIRE(lit() == bat_in_b);
    std::string too_long;
    for (int i = 0; i < 200; ++i) too_long += "bat ";
    story.session.send(command::Watch{0, too_long});
    story.send(command::Watch{1, ""});
    for (const int slot : {0, 1}) REQUIRE_FALSE(story.snapshot().sentences[slot].trace);
    CHECK(lit() == -1);
}
