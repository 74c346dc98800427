// The pooler of a BERT: where the folder has one, it stands beside the way to the words.
#include <algorithm>
#include <cmath>

#include "tests/ui/published_folder.h"
#include "tests/ui/story.h"

using namespace glassformer;
using namespace glassformer::app;

TEST_CASE("story: the pooler of a BERT stands above its first word, and its numbers are explained") {
    const TemporaryFolder folder;
    Story story;
    story.session.send(command::OpenModel{bert_folder(folder, "bert_pooler").string()});
    story.settle();
    REQUIRE(story.snapshot().sentences[0].error == "");
    const Trace& trace = story.shown_trace(0);
    const int pooler = trace.graph().at("pooler.hook_pooler_out");
    const std::span<const float> values = trace.values(pooler);
    const auto largest = std::ranges::max_element(values, {}, [](float v) { return std::abs(v); });
    REQUIRE(story.play("click \"view/Whole model\"\nframes 4") == "");
    CHECK(story.value("whole/A/pooler 0") == static_cast<double>(*largest));
    CHECK_FALSE(story.shows("whole/A/pooler 1"));
    CHECK(story.text("map/pooler") == "pooler");
    REQUIRE(story.play("click \"map/pooler\"\nframes 2") == "");
    const Cell cell = story.state().trail.back().cell;
    CHECK(cell == Cell{pooler, largest - values.begin()});
    const auto explained = trace.explain(cell);
    CHECK(explained.recomputed == doctest::Approx(std::tanh(explained.terms.at(0).operands.at(0).value)));
    CHECK(story.shows("stage pooler"));
}
