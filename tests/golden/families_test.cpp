// Every family and switch of the models against PyTorch's numbers for the same parameters and batches
// (make_golden_families.py, which lists the cases).
#include <doctest/doctest.h>

#include "core/nn/transformer.h"
#include "tests/golden/golden.h"

using namespace glassformer;

namespace {

void check_models(const std::string& file) {
    CpuBackend backend;
    for (const golden::Case& golden : golden::cases(file)) {
        const TransformerGraph model = build_transformer(golden.config(), golden.shape());
        golden::check(golden, model.graph, model.loss, backend);
    }
}

}  // namespace

TEST_CASE("golden: PyTorch's Transformer and recurrent layers") { check_models("torch_layers.safetensors"); }

TEST_CASE("golden: GPT-2") { check_models("gpt2.safetensors"); }

TEST_CASE("golden: every node, gradient and switch against the papers' formulas") {
    check_models("switches.safetensors");
}
