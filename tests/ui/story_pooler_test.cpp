// The pooler of a BERT: if the folder has one, it is shown next to the path to the words.
#include <algorithm>
#include <cmath>

#include "app/views/registry.h"
#include "core/io/safetensors.h"
#include "tests/ui/published_folder.h"
#include "tests/ui/story.h"

using namespace glassformer;
using namespace glassformer::app;

TEST_CASE("story: the pooler of a BERT is shown above its first word, and its numbers are explained") {
    const TemporaryFolder folder;
    Story story;
    story.send(command::OpenModel{bert_folder(folder, "bert_pooler").string()});
    REQUIRE(story.snapshot().sentences[0].error == "");
    const Trace& trace = story.shown_trace(0);
    const int pooler = trace.graph().at("pooler.hook_pooler_out");
    const std::span<const float> values = trace.values(pooler);
    const auto largest = std::ranges::max_element(values, {}, [](float v) { return std::abs(v); });
    REQUIRE(story.play("click \"view/Whole model\"\nframes 4") == "");
    CHECK(story.until([&] { return story.shows("whole/A/pooler 0"); }));
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

TEST_CASE("story: a BERT without a head shows its last vectors, and every offered view draws it") {
    const TemporaryFolder place;
    const std::filesystem::path folder = bert_folder(place, "bert_pooler");
    Safetensors file = read_safetensors(folder / "model.safetensors");
    std::erase_if(file.tensors, [](const NamedTensor& t) { return t.name.starts_with("cls."); });
    write_safetensors(folder / "model.safetensors", file);
    Story story;
    story.send(command::OpenModel{folder.string()});
    REQUIRE(story.snapshot().sentences[0].error == "");
    const Trace& trace = story.shown_trace(0);
    const int last = trace.graph().at(stream_name(trace.model().config.n_layers));
    CHECK(trace.model().logits == last);
    REQUIRE(story.play("click \"view/Whole model\"\nframes 4") == "");
    CHECK(story.until([&] { return story.shows("whole/A/pooler 0"); }));
    CHECK(story.value("A/said 0") ==
          static_cast<double>(trace.at({last, story.state().token[0] * trace.model().config.d_model})));
    CHECK(story.text("A/untold 0") == "no head predicts from it");
    for (const app::View& view : all_views()) {
        if (!story.offers(view)) continue;
        CAPTURE(view.name);
        REQUIRE(story.play("click \"view/" + std::string(view.name) + "\"\nframes 4") == "");
    }
}
