// Batch normalization's running statistics after one update, and the model outside training, against PyTorch's.
#include <doctest/doctest.h>

#include <algorithm>

#include "core/nn/transformer.h"
#include "core/train/running_statistics.h"
#include "tests/golden/golden.h"

using namespace glassformer;

namespace {

std::vector<float> first_mask(const golden::Case& golden, const std::string& name, int positions) {
    if (positions == 0) return {};
    const std::size_t cells = golden.shape().batch * positions;
    const std::span<const float> all = golden.at("batches", name).values();
    return {all.begin(), all.begin() + static_cast<std::ptrdiff_t>(cells)};
}

void check_running(const golden::Case& golden, const TransformerGraph& model, CpuBackend& backend) {
    const Graph& graph = *model.graph;
    RunningStatistics statistics(graph);
    const auto run = backend.prepare(model.graph, {statistics.keep(), model.loss});
    golden.feed(*run, 0);
    AlignedFloats parameters = golden.parameters(graph);
    run->forward(parameters);
    Batch batch;
    batch.key_mask = first_mask(golden, "key_mask", golden.shape().positions);
    batch.source_key_mask = first_mask(golden, "source_key_mask", golden.shape().source_positions);
    statistics.update(*run, batch, parameters);
    REQUIRE(golden.names("running").size() == statistics.keep().size());
    for (const std::string& name : golden.names("running")) {
        INFO(name);
        const std::span<const float> theirs = golden.at("running", name).values();
        const std::span<const float> ours(parameters.data() + graph[graph.at(name)].offset, theirs.size());
        CHECK(golden::distance(ours, theirs) <= 1e-5);
    }
    // The same sentences again, normalized with the gathered statistics.
    const auto outside = backend.prepare(model.graph, {{model.logits}});
    golden.feed(*outside, 0);
    outside->set_input(model.state, std::vector<float>{0.0f, 0.0f, 0.0f});
    outside->forward(parameters);
    const std::span<const float> theirs = golden.at("evaluation", "logits").values();
    std::vector<float> ours(theirs.size());
    outside->read(model.logits, ours);
    CHECK(golden::distance(ours, theirs) <= 1e-5);
}

}  // namespace

TEST_CASE("golden: batch normalization updates and uses its running statistics like PyTorch") {
    CpuBackend backend;
    int seen = 0;
    for (const golden::Case& golden : golden::cases("switches.safetensors")) {
        const TransformerConfig config = golden.config();
        if (config.norm != NormKind::batch_norm) continue;
        INFO("case ", golden.name());
        check_running(golden, build_transformer(config, golden.shape()), backend);
        ++seen;
    }
    CHECK(seen >= 3);
}
