#include <cmath>
#include <functional>

#include "app/common/what_if_paint.h"
#include "app/session/startup.h"
#include "core/analysis/interventions.h"
#include "core/io/checkpoint.h"
#include "tests/ui/opening_sentences.h"
#include "tests/ui/what_if_story.h"

using namespace glassformer;
using namespace glassformer::app;

namespace {

/// Compares sentence A on screen with the shipped translation model, altered by core alone.
void check_same(Story& story, const std::function<Intervention(const Trace&)>& made) {
    const Checkpoint model = load_checkpoint(GLASSFORMER_SOURCE_DIR "/assets/models/translation");
    Tracer tracer(reference().backend, model.config);
    const Trace& shown = story.shown_trace(0);
    const TraceInput input{shown.tokens(), shown.source_tokens()};
    const auto plain = tracer.trace(input, model.parameters);
    const auto expected = tracer.trace(input, model.parameters, {made(*plain)});
    CHECK_FALSE(std::ranges::equal(expected->values("logits"), plain->values("logits")));
    const auto on_screen = shown.values("logits"), core = expected->values("logits");
    REQUIRE(on_screen.size() == core.size());
    for (std::size_t i = 0; i < core.size(); ++i) CHECK(std::abs(on_screen[i] - core[i]) <= 1e-5f);
}

/// A query's weights in a head that attends to the source.
std::vector<float> source_row(const Trace& trace, int block, int head, int query) {
    const int node = trace.graph().at("blocks." + std::to_string(block) + ".cross_attn.hook_pattern");
    const Shape shape = trace.shape(node);
    const std::size_t keys = shape[2];
    const auto row = trace.values(node).subspan(static_cast<std::size_t>(head * shape[1] + query) * keys, keys);
    return {row.begin(), row.end()};
}

}  // namespace

TEST_CASE("a repainted row sums to one and leaves masked keys alone") {
    const std::vector<float> row = {0.5f, 0.3f, 0.2f, 0.0f};
    const std::vector<bool> hidden = {false, false, false, true};
    const std::vector<float> painted = repainted(row, hidden, 0, 0.75f);
    CHECK(painted[0] == 0.75f);
    CHECK(painted[1] == doctest::Approx(0.15));
    CHECK(painted[2] == doctest::Approx(0.1));
    CHECK(painted[3] == 0);
    const std::vector<float> alone = repainted(std::vector<float>{1, 0, 0, 0}, hidden, 0, 0.5f);
    CHECK(alone[1] == 0.25f);  // the others had none: they share evenly
    CHECK(alone[2] == 0.25f);
    CHECK(alone[3] == 0);
}

TEST_CASE("story: a row is painted by keyboard: arrows choose and change, Enter applies, Escape cancels") {
    Story story;
    CHECK(story.play("click \"map/head 0 3\"\nkey a") == "");
    REQUIRE(show(story, "What if") == "");
    CHECK(click(story, "what if/paint") == "");
    const int bat = story.state().token[0];
    const auto row = pattern_row(*reference().trace(first_sentence), 0, 3, bat);
    const int strongest = largest(row), key = strongest - 1;
    CHECK(story.value("A/paint focus") == strongest);
    CHECK(press(story, "Left") == "");
    CHECK(story.value("A/paint focus") == key);
    CHECK(story.state().head == 3);  // the arrow keys paint now
    CHECK_FALSE(story.shows("A/draft 0"));
    CHECK(story.play("key Up\nkey Up\nkey +") == "");
    const float weight = (std::round(row[key] / 0.05f) + 3) * 0.05f;
    const std::vector<float> wanted =
        repainted(row, std::vector<bool>(row.size(), false), key, std::clamp(weight, 0.0f, 1.0f));
    float sum = 0;
    for (std::size_t k = 0; k < row.size(); ++k) {
        CHECK(story.value("A/draft " + std::to_string(k)) == doctest::Approx(wanted[k]).epsilon(1e-6));
        sum += static_cast<float>(story.value("A/draft " + std::to_string(k)));
    }
    CHECK(sum == doctest::Approx(1));
    CHECK(contains(story.text("what if/painting"), "Enter applies"));
    CHECK(changes_of(story).empty());  // nothing is changed before Enter
    CHECK(press(story, "Escape") == "");
    CHECK_FALSE(story.shows("A/draft 0"));
    CHECK(story.shows("A/paint focus"));
    CHECK(changes_of(story).empty());
    CHECK(story.play("key Up\nkey Up\nkey +") == "");
    CHECK(press(story, "Enter") == "");
    REQUIRE(changes_of(story).size() == 1);
    const auto made = std::get<what_if::AttentionRow>(changes_of(story)[0]);
    CHECK(made.slot == 0);
    CHECK(made.query == bat);
    const auto painted = pattern_row(story.shown_trace(0), 0, 3, bat);
    for (std::size_t k = 0; k < row.size(); ++k) CHECK(painted[k] == doctest::Approx(wanted[k]).epsilon(1e-6));
    CHECK(story.value("A/paint focus") == key);  // painting continues from there
    CHECK(press(story, "Down") == "");
    CHECK(story.value("A/draft " + std::to_string(key)) == doctest::Approx(weight - 0.05f));
    CHECK(story.play("key Escape\nkey Escape") == "");
    CHECK_FALSE(story.shows("what if/stop painting"));
    CHECK(press(story, "Left") == "");
    CHECK(story.state().head == 2);  // the arrow keys choose heads again
}

TEST_CASE("story: in a low window the row painted by keyboard scrolls into view") {
    Story story({.size = {1280, 720}});
    CHECK(story.play(
              "click \"map/head 0 3\"\nkey a\nkey Ctrl+k\nframes 2\ntype \"paint a row\"\nframes 2\nkey Enter") == "");
    story.frames(3);
    const Item* focus = story.find("A/paint focus");
    REQUIRE(focus);
    const Item* timeline = story.find("timeline");
    REQUIRE(timeline);
    CHECK(focus->max.y < timeline->min.y);
    CHECK(focus->min.y > story.find("A/token 0")->max.y);
}

TEST_CASE("story: cross-attention heads are switched off, made uniform or hard, as in core") {
    Story story({.model = "translation"});
    constexpr AttentionTo source = AttentionTo::source;
    REQUIRE(show(story, "What if") == "");
    const auto original = everything(story);
    REQUIRE(click(story, "what if/cross head 0 1") == "");
    CHECK(changes_of(story) == std::vector<WhatIf>{what_if::HeadOff{0, 1, source}});
    check_same(story, [&](const Trace& trace) { return ablate_head(trace.model(), 0, 1, source); });
    CHECK(click(story, "what if/cross head 0 1") == "");
    CHECK(same_bytes(everything(story), original));
    CHECK(click(story, "map/cross head 0 2") == "");
    CHECK(click(story, "what if/chosen head/uniform") == "");
    CHECK(changes_of(story) == std::vector<WhatIf>{what_if::UniformAttention{0, 2, source}});
    check_same(story, [&](const Trace& trace) { return uniform_attention(trace, 0, 2, -1, source); });
    CHECK(click(story, "what if/chosen head/hard") == "");
    check_same(story, [&](const Trace& trace) { return hard_attention(trace, 0, 2, -1, source); });
    CHECK(click(story, "what if/chosen head/learned") == "");
    CHECK(press(story, "x") == "");  // the chosen head attends to the source
    CHECK(changes_of(story) == std::vector<WhatIf>{what_if::HeadOff{0, 2, source}});
    CHECK(press(story, "r") == "");
    CHECK(same_bytes(everything(story), original));
}

TEST_CASE("story: a row of a cross-attention head is painted by keyboard and by mouse") {
    constexpr AttentionTo source = AttentionTo::source;
    Story story({.model = "translation"});
    CHECK(click(story, "map/cross head 0 2") == "");
    CHECK(story.play("click \"A/token 1\"") == "");
    REQUIRE(show(story, "What if") == "");
    CHECK(click(story, "what if/paint") == "");
    CHECK(story.state().cross_attention);
    const int query = story.state().token[0];
    const auto row = source_row(story.shown_trace(0), 0, 2, query);
    const auto strongest = static_cast<int>(std::ranges::max_element(row) - row.begin());
    CHECK(story.value("A/paint focus") == strongest);
    CHECK(story.play("key Down\nkey Down\nkey Down\nkey Down") == "");
    const float weight = std::round(row[strongest] / 0.05f) * 0.05f - 4 * 0.05f;
    const std::vector<float> wanted = repainted(row, std::vector<bool>(row.size(), false), strongest, weight);
    for (std::size_t k = 0; k < row.size(); ++k)
        CHECK(story.value("A/draft " + std::to_string(k)) == doctest::Approx(wanted[k]).epsilon(1e-4).scale(1));
    CHECK(press(story, "Enter") == "");
    REQUIRE(changes_of(story).size() == 1);
    const auto made = std::get<what_if::AttentionRow>(changes_of(story)[0]);
    CHECK(made.to == source);
    CHECK(describe(made) == "row 1 of block 0 · cross-attention head 2 painted in A");
    check_same(story,
               [&](const Trace& trace) { return set_attention_row(trace.model(), 0, 2, query, made.weights, source); });
    // The mouse paints the same row again.
    CHECK(click(story, "A/pattern 1 0") == "");
    REQUIRE(changes_of(story).size() == 1);
    std::vector<float> all(row.size(), 0.0f);
    all[0] = 1;
    CHECK(source_row(story.shown_trace(0), 0, 2, query) == all);
    check_same(story, [&](const Trace& trace) { return set_attention_row(trace.model(), 0, 2, query, all, source); });
    CHECK(press(story, "Escape") == "");
    CHECK(press(story, "r") == "");
    CHECK(changes_of(story).empty());
    CHECK(source_row(story.shown_trace(0), 0, 2, query) == row);
}
