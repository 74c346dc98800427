// Models whose matrices stay in their file: opening and using them, and what happens when someone changes the file.
#include <doctest/doctest.h>

#include <fstream>

#include "core/generate/generator.h"
#include "core/graph/parameters.h"
#include "core/io/checkpoint.h"
#include "core/io/safetensors.h"
#include "core/nn/transformer.h"
#include "core/trace/tracer.h"
#include "core/train/trainer.h"
#include "tests/core/half_cells.h"
#include "tests/core/model_folder.h"
#include "tests/core/temporary_folder.h"

using namespace glassformer;
namespace fs = std::filesystem;

namespace {

/// Writes a small GPT-2 with cells of this dtype and this many words.
void write_model(const fs::path& folder, const std::string& dtype, int words = gpt2_vocab) {
    nlohmann::json config = gpt2_config();
    config["vocab_size"] = words;
    Safetensors tensors = gpt2_tensors();
    Tensor table(Shape{words, gpt2_width});
    for (std::int64_t i = 0; i < table.shape().elements(); ++i)
        table.values()[i] = static_cast<float>(i % 17 - 8) / 16.0f;
    tensors.tensors[0].tensor = table;
    write_gpt2(folder, config, tensors);
    write_text(folder / "model.safetensors", with_cells(tensors, dtype));
}

const TypedMatrix* stored(const Checkpoint& model, const std::string& name) {
    const TransformerGraph graph = build_transformer(model.config, {1, 1});
    return model.parameters->stored((*graph.graph)[graph.graph->at(name)].offset);
}

}  // namespace

TEST_CASE("stored parameters: 16-bit matrices stay in their file, norms and biases are floats") {
    const TemporaryFolder folder;
    for (const auto& [dtype, type] : {std::pair{"BF16", DType::bfloat16}, {"F16", DType::float16}}) {
        write_model(folder / dtype, dtype);
        const Checkpoint model = load_checkpoint(folder / dtype);
        for (const char* name : {"embed.W_E", "blocks.1.attn.W_K", "blocks.0.mlp.W_out"}) {
            INFO(name);
            REQUIRE(stored(model, name) != nullptr);
            CHECK(stored(model, name)->type == type);
        }
        CHECK(stored(model, "blocks.0.ln1.w") == nullptr);
        CHECK(stored(model, "blocks.0.attn.b_Q") == nullptr);
    }
}

TEST_CASE("stored parameters: large float32 matrices stay in their file, and nothing is copied") {
    const TemporaryFolder folder;
    write_model(folder / "small", "F32");
    CHECK_FALSE(load_checkpoint(folder / "small").parameters->keeps_stored());
    write_model(folder / "large", "F32", (1 << 18) / gpt2_width);
    const Checkpoint model = load_checkpoint(folder / "large");
    CHECK(model.parameters->keeps_stored());
    // Floats already in the model's own order are used in place.
    CHECK(stored(model, "embed.W_E") == nullptr);
    const ParameterValues wide(*model.parameters);
    CHECK(wide == *model.parameters);
    CHECK(model.parameters->values(0, 16).data() == model.parameters->values(0, 8).data());
    CHECK(model.parameters->values(9, 3)[0] == wide[9]);
}

TEST_CASE("stored parameters: reading some cells or all of them gives the widened floats") {
    const TemporaryFolder folder;
    write_model(folder / "m", "F16");
    const Checkpoint model = load_checkpoint(folder / "m");
    const std::vector<float> wide = *model.parameters;
    const auto size = static_cast<std::int64_t>(wide.size());
    for (const std::int64_t first : {std::int64_t{0}, std::int64_t{5}, size / 3, size - 7})
        for (const std::int64_t count : {std::int64_t{1}, std::int64_t{7}, size - first}) {
            if (first + count > size) continue;
            std::vector<float> some(static_cast<std::size_t>(count));
            model.parameters->copy(first, some);
            CHECK(std::equal(some.begin(), some.end(), wide.begin() + first));
        }
    // A copy becomes floats when it is changed; the original stays as it was.
    ParameterValues changed(*model.parameters);
    changed[3] += 1.0f;
    CHECK(changed[3] == wide[3] + 1.0f);
    CHECK((*model.parameters)[3] == wide[3]);
}

TEST_CASE("stored parameters: a model is saved with the values that it was loaded with") {
    const TemporaryFolder folder;
    write_model(folder / "m", "BF16");
    const Checkpoint model = load_checkpoint(folder / "m");
    save_checkpoint(folder / "saved", model);
    CHECK(*load_checkpoint(folder / "saved").parameters == *model.parameters);
}

// Windows does not let a mapped file be truncated.
TEST_CASE("stored parameters: a file truncated while its model is open is an error, not a crash" *
          doctest::skip(on_windows)) {
    const TemporaryFolder folder;
    write_model(folder / "m", "BF16");
    const Checkpoint model = load_checkpoint(folder / "m");
    CpuBackend backend(1);
    Tracer tracer(backend, model.config);
    CHECK_NOTHROW(tracer.trace({1, 2}, model.parameters));
    // Another file that takes its name changes nothing.
    write_model(folder / "other", "BF16");
    fs::rename(folder / "other" / "model.safetensors", folder / "m" / "model.safetensors");
    CHECK_NOTHROW(tracer.trace({1, 2}, model.parameters));

    const Checkpoint again = load_checkpoint(folder / "m");
    fs::resize_file(folder / "m" / "model.safetensors", 100);
    const auto refused = [&](const auto& use) {
        const std::string message = error_of(use);
        INFO(message);
        CHECK(contains(message, "model.safetensors"));
        CHECK(contains(message, "reopen the model"));
    };
    refused([&] { tracer.trace({1, 2}, again.parameters); });
    refused([&] { again.parameters->all(); });
    refused([&] { again.parameters->values(0, 8); });
}

TEST_CASE("stored parameters: what a trace computes later from a truncated file is an error, not zeros" *
          doctest::skip(on_windows)) {
    const TemporaryFolder folder;
    const fs::path file = folder / "m" / "model.safetensors";
    CpuBackend backend(1);
    const auto cut = [&](const std::string& dtype, int words, const TraceMemory& memory, const auto& use) {
        write_model(folder / "m", dtype, words);
        const Checkpoint model = load_checkpoint(folder / "m");
        REQUIRE(model.parameters->keeps_stored());
        Tracer tracer(backend, model.config, memory);
        const auto trace = tracer.trace({1, 2}, model.parameters);
        fs::resize_file(file, 100);
        const std::string message = error_of([&] { use(*trace); });
        INFO(message);
        CHECK(contains(message, "model.safetensors"));
        CHECK(contains(message, "reopen the model"));
    };
    const auto explain = [](const Trace& trace) { trace.explain({trace.graph().at("logits"), 3}); };
    cut("BF16", gpt2_vocab, {}, explain);
    cut("F32", 1 << 16, {}, explain);  // its floats stay in the file
    const auto make = [](const Trace& trace) { trace.values("blocks.1.mlp.hook_pre"); };
    cut("BF16", gpt2_vocab, {.kept = 0}, make);
    cut("BF16", gpt2_vocab, {.kept = 0}, [](const Trace& trace) {
        trace.part(trace.graph().at("blocks.1.mlp.hook_pre"), {1, 1});
    });
}

namespace {

/// Truncates a model's file when it runs in a pass: between two reads of the matrices.
class CutFile final : public Op {
public:
    explicit CutFile(fs::path file) : file_(std::move(file)) {}
    std::string_view name() const override { return "cut_file"; }
    Shape infer_shape(std::span<const Shape> in) const override { return in[0]; }
    void forward(const ForwardArgs& a) const override {
        fs::resize_file(file_, 100);
        std::copy_n(a.inputs[0].data, a.output.shape.elements(), a.output.data);
    }
    void backward(const BackwardArgs&) const override {}
    OpExplanation explain(const ExplainArgs&) const override { return {}; }

private:
    fs::path file_;
};

}  // namespace

TEST_CASE("stored parameters: a file truncated in the middle of a pass is an error, not a crash" *
          doctest::skip(on_windows)) {
    const TemporaryFolder folder;
    write_model(folder / "m", "BF16", 4096);
    const fs::path file = folder / "m" / "model.safetensors";
    const Checkpoint model = load_checkpoint(folder / "m");
    const TransformerGraph built = build_transformer(model.config, {1, 2});
    const std::shared_ptr<Graph> graph = built.graph->copy();
    const int stream = graph->at("blocks.0.hook_mlp_out");
    // Block 0 has read its matrices; the cut removes those of block 1 and the word table before they are read.
    const int reader = graph->at("blocks.0.hook_resid_post");
    std::vector<int> inputs = (*graph)[reader].inputs;
    REQUIRE(std::ranges::count(inputs, stream) == 1);
    graph->replace(reader, std::make_shared<CutFile>(file), {stream});
    CpuBackend backend(2);
    const auto run = backend.prepare(graph, {{built.probabilities}, -1});
    run->set_input(built.tokens, std::vector<float>{1, 2});
    run->set_input(built.key_mask, std::vector<float>{1, 1});
    const std::string message = error_of([&] { run->forward(*model.parameters); });
    INFO(message);
    CHECK(contains(message, "model.safetensors"));
    CHECK(contains(message, "reopen the model"));
    CHECK(fs::file_size(file) == 100);
}

TEST_CASE("stored parameters: an infinite cell is refused, and the error names its tensor and index") {
    const TemporaryFolder folder;
    write_model(folder / "m", "F32");
    Safetensors tensors = gpt2_tensors();
    tensors.tensors[0].tensor.values()[9] = INFINITY;
    for (const char* dtype : {"BF16", "F32"}) {
        write_text(folder / "m" / "model.safetensors", with_cells(tensors, dtype));
        const std::string message = error_of([&] { load_checkpoint(folder / "m"); });
        INFO(message);
        CHECK(contains(message, "wte.weight"));
        CHECK(contains(message, "[1, 1]"));
    }
}

TEST_CASE("a sparse file of 10 GB is refused as a model at once") {
    const TemporaryFolder folder;
    write_model(folder / "m", "F32");
    fs::resize_file(folder / "m" / "model.safetensors", std::uintmax_t{10} << 30);
    CHECK(contains(error_of([&] { load_checkpoint(folder / "m"); }), "10737418240 bytes"));
    std::ofstream(folder / "m" / "model.safetensors", std::ios::trunc).close();
    fs::resize_file(folder / "m" / "model.safetensors", std::uintmax_t{6} << 30);
    CHECK(contains(error_of([&] { load_checkpoint(folder / "m"); }), "model.safetensors"));
}
