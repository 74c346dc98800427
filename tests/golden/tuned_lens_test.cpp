// Lenses with an affine map per layer against numbers in double precision (make_golden_tuned_lens.py).
#include "core/analysis/tuned_lens.h"

#include <doctest/doctest.h>

#include <fstream>
#include <nlohmann/json.hpp>

#include "core/analysis/logit_lens.h"
#include "core/trace/tracer.h"
#include "tests/golden/golden.h"

using namespace glassformer;

TEST_CASE("golden: a tuned lens reads every layer's stream through its map and the model's own head") {
    const auto all = nlohmann::json::parse(std::ifstream(golden::folder() / "tuned_lens.json"));
    CpuBackend backend;
    int compared = 0;
    for (const golden::Case& c : golden::cases("switches.safetensors")) {
        if (!all.contains(c.name())) continue;
        ++compared;
        const auto& expected = all[c.name()];
        INFO("case ", c.name());
        const TransformerConfig config = c.config();
        const std::size_t words = c.shape().positions;
        const AlignedFloats values = c.parameters(*build_transformer(config, {1, c.shape().positions}).graph);
        const std::size_t first = expected["sentence"].get<std::size_t>() * words;
        const std::span<const float> tokens = c.at("batches", "tokens").values().subspan(first, words);
        Tracer tracer(backend, config);
        const auto trace = tracer.trace(std::vector<int>(tokens.begin(), tokens.end()),
                                        std::make_shared<ParameterValues>(values.begin(), values.end()));
        auto tuned = std::make_shared<TunedLens>();
        tuned->d_model = config.d_model;
        for (const auto& layer : expected["layers"]) {
            const auto map = layer["map"].get<std::vector<float>>();
            tuned->maps.push_back({AlignedFloats(map.begin(), map.end())});
        }
        const LogitLens lens(trace, backend.pool(), tuned);
        for (int layer = 0; layer < config.n_layers; ++layer) {
            INFO("layer ", layer);
            const auto theirs = expected["layers"][layer]["logits"].get<std::vector<float>>();
            CHECK(golden::distance(lens.layer(layer).logits, theirs) <= 1e-5);
        }
        CHECK(golden::distance(lens.layer(config.n_layers).logits, trace->values("logits")) == 0);
    }
    CHECK(compared == static_cast<int>(all.size()));
}
