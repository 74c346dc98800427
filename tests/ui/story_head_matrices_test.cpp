#include <cmath>

#include "core/analysis/head_circuits.h"
#include "core/analysis/head_scores.h"
#include "tests/ui/opening_sentences.h"
#include "tests/ui/story.h"

using namespace glassformer;
using namespace glassformer::app;

namespace {

const StoryOptions tall{{1600, 2200}, 1, true};

void open_page(Story& story, const std::string& page) {
    REQUIRE(story.play("key a\nclick \"view/Q K V\"\nframes 2\nclick \"A/qkv page/" + page + "\"\nframes 2") == "");
}

std::string cell(const std::string& matrix, int row, int column) {
    return "A/" + matrix + " " + std::to_string(row) + " " + std::to_string(column);
}

}  // namespace

TEST_CASE("story: a head's scores are shown as matrices, from Q · Kᵀ to rows that sum to 1") {
    Story story(tall);
    open_page(story, "scores");
    const auto trace = reference().trace(first_sentence);
    const int layer = story.state().layer, head = story.state().head, n = trace->positions();
    const auto at = [&](const std::string& hook, int row, int column) {
        return static_cast<double>(trace->values(block(layer, hook))[(head * n + row) * n + column]);
    };
    Differences differences;
    for (int row = 0; row < n; ++row)
        for (int column = 0; column < n; ++column) {
            differences.expect(story, cell("raw scores", row, column), at("attn.hook_attn_scores_raw", row, column));
            differences.expect(story, cell("scaled scores", row, column),
                               at("attn.hook_attn_scores_raw", row, column) / 4);
            differences.expect(story, cell("weights", row, column), at("attn.hook_pattern", row, column));
        }
    CHECK(differences.report() == "");
    CHECK(story.value("A/weights sum") == doctest::Approx(1).epsilon(1e-5));
    REQUIRE(story.play("click \"" + cell("raw scores", 2, 5) + "\"\nframes 2") == "");
    CHECK(story.value("explain/value") == story.value(cell("raw scores", 2, 5)));
    CHECK(story.state().token[0] == 2);
}

TEST_CASE("story: masked scores are −∞ before the softmax and 0 after it") {
    Story story({.size = {1600, 2200}, .model = "next_word"});
    open_page(story, "scores");
    CHECK(std::isfinite(story.value(cell("scaled scores", 0, 1))));
    CHECK(story.value(cell("masked scores", 0, 1)) == -INFINITY);
    CHECK(story.value(cell("masked scores", 1, 0)) == story.value(cell("scaled scores", 1, 0)));
    CHECK(story.value(cell("weights", 0, 1)) == 0);
    CHECK(story.value(cell("weights", 0, 0)) == 1);
}

TEST_CASE("story: the outputs of all heads add up, and a head's circuits show their rank") {
    Story story(tall);
    open_page(story, "heads");
    const auto trace = reference().trace(first_sentence);
    const int layer = story.state().layer, heads = trace->model().config.n_heads, width = trace->model().config.d_model;
    for (int i = 0; i < width; ++i) {
        double sum = story.value("A/written bias " + std::to_string(i));
        for (int head = 0; head < heads; ++head)
            sum += story.value("A/written " + std::to_string(head) + " " + std::to_string(i));
        CHECK(story.value("A/written sum " + std::to_string(i)) == doctest::Approx(sum).epsilon(1e-3));
    }
    const HeadCircuits truth = head_circuits(*trace, block(layer, "attn."), story.state().head);
    CHECK(story.value("A/query key circuit rank") == truth.query_key.rank);
    CHECK(story.value("A/value output circuit rank") == truth.value_output.rank);
    CHECK(truth.value_output.rank == 16);
    CHECK(story.value("A/value output circuit singular 0") == doctest::Approx(truth.value_output.singular[0]));
    // Another head has other circuits.
    REQUIRE(story.play("key Right\nframes 2") == "");
    CHECK(story.value("A/value output circuit singular 0") != doctest::Approx(truth.value_output.singular[0]));
}

TEST_CASE("story: the largest rank of a circuit is that of its own bottleneck where values have another width") {
    Story story(tall);
    story.send(command::OpenWorld{"induction", {{"attention.d_head", "6"}, {"attention.d_value", "10"}}});
    REQUIRE(story.until([&] { return story.snapshot().model->config.attention.d_value == 10; }));
    story.settle();
    story.frames(3);
    open_page(story, "heads");
    CHECK(story.value("A/query key circuit rank") == 6);
    CHECK(story.value("A/value output circuit rank") == 10);
    CHECK(story.text("A/circuits rank").find("at most 6 and 10") != std::string::npos);
}

TEST_CASE("story: the nearest Toeplitz matrix is shown with its filter") {
    Story story({.size = {1600, 2200}, .model = "induction"});
    open_page(story, "distance");
    const Trace& trace = story.shown_trace(0);
    const int layer = story.state().layer, head = story.state().head, n = trace.positions();
    const std::span<const float> all = trace.values(block(layer, "attn.hook_pattern"));
    const ToeplitzFit fit = nearest_toeplitz(all.subspan(head * n * n, n * n), n, n, true);
    CHECK(story.value("A/toeplitz") == doctest::Approx(fit.explained));
    for (int distance = 0; distance < n; ++distance)
        CHECK(story.value("A/filter " + std::to_string(distance)) ==
              doctest::Approx(static_cast<double>(fit.weight(distance))));
    for (int row = 1; row < n; ++row)
        for (int column = 1; column <= row; ++column)
            CHECK(story.value(cell("toeplitz fit", row, column)) ==
                  story.value(cell("toeplitz fit", row - 1, column - 1)));
}
