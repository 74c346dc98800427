// Every architecture that is read from Hugging Face folders, against what PyTorch computes with the same folder
// (make_golden_hugging_face.py): all values of the pass, and generation with keys and values kept.
#include <doctest/doctest.h>

#include <algorithm>

#include "core/analysis/interventions.h"
#include "core/analysis/trace_checks.h"
#include "core/generate/generator.h"
#include "core/graph/hook_names.h"
#include "core/io/checkpoint.h"
#include "core/trace/tracer.h"
#include "tests/contains.h"
#include "tests/golden/golden.h"

using namespace glassformer;

namespace {

/// Whether PyTorch's side has this value too: all but the loss and values without a name of their own.
bool is_told(const Graph& graph, int id) {
    return graph[id].kind == NodeInfo::Kind::op && graph[id].name != "loss" && !contains(graph[id].name, "#");
}

std::vector<int> read_ids(const Safetensors& expected, const char* name) {
    std::vector<int> ids;
    for (const float id : expected.find(name)->values()) ids.push_back(static_cast<int>(id));
    return ids;
}

std::vector<int> read_tokens(const Safetensors& expected) { return read_ids(expected, "tokens"); }

void check_values(const Checkpoint& model, const Safetensors& expected, CpuBackend& backend) {
    Tracer tracer(backend, model.config);
    TraceInput input{read_tokens(expected)};
    if (model.config.d_token_types > 0) input.token_types = read_ids(expected, "token_types");
    const auto trace = tracer.trace(input, model.parameters);
    int compared = 0;
    for (const NamedTensor& value : expected.tensors) {
        if (!value.name.starts_with("hook/")) continue;
        const std::string name = value.name.substr(5);
        INFO(name);
        REQUIRE(trace->graph().find(name).has_value());
        const int id = trace->graph().at(name);
        CHECK(trace->shape(id) == value.tensor.shape());
        CHECK(golden::distance(trace->values(id), value.tensor.values()) <= 1e-5);
        ++compared;
    }
    for (int id = 0; id < static_cast<int>(trace->graph().nodes().size()); ++id)
        if (is_told(trace->graph(), id)) {
            INFO(trace->graph()[id].name, " should be in expected.safetensors");
            CHECK(expected.find("hook/" + trace->graph()[id].name) != nullptr);
        }
    CHECK(compared > 30);
}

void check_generation(const Checkpoint& model, const Safetensors& expected, CpuBackend& backend) {
    REQUIRE(supports_kv_cache(model.config));
    const std::vector<int> tokens = read_tokens(expected);
    const Tensor& logits = *expected.find("hook/logits");
    const std::size_t width = static_cast<std::size_t>(model.config.d_vocab);
    // After a first pass over one or three words, the others are read one by one: keys and values kept from a single
    // word and from several at once must both serve.
    for (const std::size_t at_first : {1u, 3u}) {
        Generator generator(backend, model.config, model.parameters);
        generator.read(std::span(tokens).first(at_first));
        for (std::size_t i = at_first; i < tokens.size(); ++i) {
            const std::span<const float> ours = generator.read(std::span(tokens).subspan(i, 1));
            INFO("word ", i, " after ", at_first, " at once");
            CHECK(golden::distance(ours, logits.values().subspan(i * width, width)) <= 1e-4);
        }
    }
}

/// Checks that a head ablated by a what-if gives the answer of the model whose W_O has zeros in that head's rows.
void check_what_if(const Checkpoint& model, const std::vector<int>& tokens, CpuBackend& backend) {
    Tracer tracer(backend, model.config);
    TraceInput input;
    input.tokens = tokens;
    const TransformerGraph graph = tracer.model(input);
    const int block = model.config.n_layers - 1, head = model.config.n_heads - 1;
    const auto ablated = tracer.trace(input, model.parameters, {ablate_head(graph, block, head)});
    const NodeInfo& w_o = (*graph.graph)[graph.graph->at(block_hook(block, "attn.W_O"))];
    const std::int64_t rows = static_cast<std::int64_t>(model.config.d_value()) * model.config.d_model;
    auto without = std::make_shared<ParameterValues>(*model.parameters);
    std::fill_n(without->begin() + w_o.offset + head * rows, rows, 0.0f);
    const auto expected = tracer.trace(input, without), whole = tracer.trace(input, model.parameters);
    CHECK(golden::distance(ablated->values("logits"), expected->values("logits")) <= 1e-5);
    const TraceDifference found = difference_of(*whole, *ablated);
    CHECK(found.largest > trace_tolerance);
    CHECK(found.where != "");
    CHECK(difference_of(*whole, *whole).largest == 0.0);
}

}  // namespace

TEST_CASE("golden: a head taken out of a Hugging Face folder's model equals the model without its part of W_O") {
    CpuBackend backend;
    for (const auto& entry : std::filesystem::directory_iterator(golden::folder() / "hugging_face")) {
        INFO(entry.path().filename().string());
        check_what_if(load_checkpoint(entry.path()),
                      read_tokens(read_safetensors(entry.path() / "expected.safetensors")), backend);
    }
}

TEST_CASE("golden: Hugging Face folders compute PyTorch's values in every node, and when they generate word by word") {
    CpuBackend backend;
    int folders = 0;
    for (const auto& entry : std::filesystem::directory_iterator(golden::folder() / "hugging_face")) {
        INFO(entry.path().filename().string());
        ++folders;
        const Checkpoint model = load_checkpoint(entry.path());
        const Safetensors expected = read_safetensors(entry.path() / "expected.safetensors");
        check_values(model, expected, backend);
        if (model.config.family == Family::decoder) check_generation(model, expected, backend);
    }
    CHECK(folders == 14);
}
