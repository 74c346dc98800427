// Our encoder against PyTorch's numbers for the same parameters and batches (make_golden.py).
#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>

#include "core/backend/cpu/cpu_backend.h"
#include "core/io/safetensors.h"
#include "core/nn/transformer.h"
#include "core/train/optimizer.h"
#include "core/train/train_options.h"
#include "tests/golden/golden.h"

using namespace glassformer;

namespace {

constexpr int batch_size = 3, positions = 9;

struct Golden {
    Golden()
        : file(read_safetensors(golden::folder() / "encoder.safetensors")),
          model(build_transformer(
              {.d_vocab = 23, .n_ctx = positions, .d_model = 16, .n_heads = 2, .n_layers = 2, .d_mlp = 40},
              {batch_size, positions})) {}

    const Tensor& at(const std::string& name) const {
        const Tensor* tensor = file.find(name);
        INFO("the golden file should have " << name);
        REQUIRE(tensor != nullptr);
        return *tensor;
    }

    /// Returns the tensors kind/… in the order of the flat parameter vector.
    std::vector<float> flat(const std::string& kind) const {
        std::vector<float> values;
        for (const int id : model.graph->parameters()) {
            const Tensor& tensor = at(kind + "/" + (*model.graph)[id].name);
            REQUIRE(tensor.shape() == (*model.graph)[id].shape);
            values.insert(values.end(), tensor.values().begin(), tensor.values().end());
        }
        return values;
    }

    void feed(Execution& run, int step) const {
        const std::size_t cells = batch_size * positions;
        for (const int id : {model.tokens, model.key_mask, model.targets, model.loss_weights})
            run.set_input(id, at("batches/" + (*model.graph)[id].name)
                                  .values()
                                  .subspan(static_cast<std::size_t>(step) * cells, cells));
    }

    Safetensors file;
    TransformerGraph model;
};

// b_K adds q·b_K to the scores of all keys alike, which softmax ignores: the true gradient is zero, and both sides
// contain only rounding.
bool gradient_is_rounding(const std::string& name) { return name.ends_with("attn.b_K"); }

}  // namespace

TEST_CASE("golden: every node of the encoder, the loss and every gradient") {
    const Golden golden;
    const Graph& graph = *golden.model.graph;
    CpuBackend backend;
    std::vector<int> all;
    for (int id = 0; id < static_cast<int>(graph.nodes().size()); ++id) all.push_back(id);
    const auto run = backend.prepare(golden.model.graph, {all, golden.model.loss});
    golden.feed(*run, 0);
    const std::vector<float> parameters = golden.flat("parameter");
    run->forward(parameters);

    const auto compare = [&](int id, const std::string& name) {
        const Tensor& theirs = golden.at("hook/" + name);
        std::vector<float> ours(static_cast<std::size_t>(graph[id].shape.elements()));
        run->read(id, ours);
        INFO(name);
        CHECK(theirs.shape() == graph[id].shape);
        REQUIRE(theirs.shape().elements() == graph[id].shape.elements());
        CHECK(golden::distance(ours, theirs.values()) <= 1e-5);
    };
    for (const int id : all)
        if (graph[id].kind == NodeInfo::Kind::op) compare(id, graph[id].name);
    for (const auto& [name, id] : graph.aliases()) compare(id, name);
    CHECK(run->loss() == doctest::Approx(golden.at("hook/loss").data()[0]).epsilon(1e-5));

    std::vector<float> gradient(parameters.size());
    run->backward(gradient);
    for (const int id : graph.parameters()) {
        const std::string& name = graph[id].name;
        const std::span<const float> ours =
            std::span<const float>(gradient).subspan(graph[id].offset, graph[id].shape.elements());
        INFO(name);
        if (gradient_is_rounding(name))
            CHECK(std::ranges::all_of(ours, [](float g) { return std::abs(g) < 1e-6f; }));
        else
            CHECK(golden::distance(ours, golden.at("gradient/" + name).values()) <= 1e-4);
    }
}

TEST_CASE("golden: ten updates of AdamW with clipping and the schedule") {
    const Golden golden;
    const Graph& graph = *golden.model.graph;
    CpuBackend backend;
    const auto run = backend.prepare(golden.model.graph, {{}, golden.model.loss});
    std::vector<float> parameters = golden.flat("parameter"), gradient(parameters.size());
    const auto optimizer = make_optimizer(graph, {});
    const Schedule schedule{.peak = 3e-3f, .warmup = 50, .total = 500, .floor = 0.05f};
    const Tensor& losses = golden.at("training/losses");
    const Tensor& norms = golden.at("training/gradient_norms");
    REQUIRE(losses.shape() == Shape{10});
    for (int step = 0; step < 10; ++step) {
        golden.feed(*run, step);
        run->forward(parameters);
        run->backward(gradient);
        const double norm = gradient_norm(gradient, backend.pool());
        INFO("step ", step + 1);
        CHECK(run->loss() == doctest::Approx(losses.data()[step]).epsilon(1e-4));
        CHECK(norm == doctest::Approx(norms.data()[step]).epsilon(1e-4));
        const float factor = norm > 1.0 ? static_cast<float>(1.0 / (norm + 1e-6)) : 1.0f;
        optimizer->step(parameters, gradient, factor, schedule.at(step + 1), backend.pool());
    }
    // The updates themselves: how far each parameter has moved.
    const std::vector<float> start = golden.flat("parameter"), end = golden.flat("trained");
    for (const int id : graph.parameters()) {
        if (gradient_is_rounding(graph[id].name)) continue;
        const std::size_t begin = graph[id].offset;
        const std::size_t count = graph[id].shape.elements();
        std::vector<float> ours(count), theirs(count);
        for (std::size_t i = 0; i < count; ++i) {
            ours[i] = parameters[begin + i] - start[begin + i];
            theirs[i] = end[begin + i] - start[begin + i];
        }
        INFO(graph[id].name);
        CHECK(golden::distance(ours, theirs) <= 2e-3);
    }
}
