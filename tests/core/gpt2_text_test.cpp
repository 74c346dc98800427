// A whole Hugging Face folder: its sizes, tensors and byte-level vocabulary are read, used and written again.
#include <doctest/doctest.h>

#include "core/backend/cpu/cpu_backend.h"
#include "core/generate/generator.h"
#include "core/io/hugging_face.h"
#include "core/text/text_file.h"
#include "core/text/tokenizer.h"
#include "core/trace/tracer.h"
#include "tests/core/fresh_parameters.h"
#include "tests/core/gpt2_folder.h"
#include "tests/core/temporary_folder.h"

using namespace glassformer;

namespace {

const SmallGpt2 vocabulary({{"l", "o"}, {"lo", "w"}, {"Ġ", "low"}, {"e", "r"}});

/// A decoder of GPT-2's shape with the small vocabulary.
Checkpoint model(const std::filesystem::path& folder) {
    std::filesystem::create_directories(folder);
    vocabulary.write_two_files(folder);
    Checkpoint c;
    c.tokenizer = load_tokenizer(folder);
    c.config.family = Family::decoder;
    c.config.activation = Activation::gelu_tanh;
    c.config.d_vocab = c.tokenizer->size(), c.config.n_ctx = 16, c.config.d_model = 8, c.config.n_heads = 2;
    c.config.n_layers = 2, c.config.d_mlp = 12, c.config.init_std = 0.3f;
    c.parameters = fresh_parameters(c.config, 4);
    return c;
}

std::vector<float> logits(const Checkpoint& c, const std::string& text) {
    CpuBackend backend(1);
    const auto trace = Tracer(backend, c.config).trace(c.tokenizer->ids(text), c.parameters);
    const std::span<const float> values = trace->values("logits");
    return {values.begin(), values.end()};
}

}  // namespace

TEST_CASE("an exported GPT-2 includes its tokenizer and names its end-of-text token") {
    const TemporaryFolder folder;
    const Checkpoint saved = model(folder.path() / "words");
    save_hugging_face(folder.path() / "hf", saved);
    const Checkpoint loaded = load_checkpoint(folder.path() / "hf");
    REQUIRE(loaded.tokenizer);
    CHECK(loaded.tokenizer->kind() == "tokenizer_json");
    const std::string text = "lower 🦇 low\n";
    CHECK(loaded.tokenizer->ids(text) == saved.tokenizer->ids(text));
    CHECK(loaded.tokenizer->decode(loaded.tokenizer->ids(text)) == text);
    CHECK(logits(loaded, text) == logits(saved, text));
    const nlohmann::json config = nlohmann::json::parse(read_text_file(folder.path() / "hf" / "config.json", 1 << 16));
    CHECK(config["eos_token_id"] == vocabulary.vocabulary["<|endoftext|>"]);
    CHECK(config["bos_token_id"] == vocabulary.vocabulary["<|endoftext|>"]);
}

TEST_CASE("a fast tokenizer beside the same model gives the same tokens") {
    const TemporaryFolder folder;
    const Checkpoint saved = model(folder.path() / "words");
    save_hugging_face(folder.path() / "hf", saved);
    write_text_file(folder.path() / "hf" / "tokenizer.json", vocabulary.fast_tokenizer(true).dump());
    const Checkpoint loaded = load_checkpoint(folder.path() / "hf");
    REQUIRE(loaded.tokenizer);
    CHECK(loaded.tokenizer->ids("slow lower") == saved.tokenizer->ids("slow lower"));
}

TEST_CASE("a checkpoint of an earlier version, whose tokenizer is called gpt2, opens with its two files") {
    const TemporaryFolder folder;
    const Checkpoint saved = model(folder.path() / "words");
    const std::filesystem::path m = folder.path() / "m";
    save_checkpoint(m, saved);
    nlohmann::json config = nlohmann::json::parse(read_text_file(m / "config.json", 1 << 16));
    REQUIRE(config["tokenizer"] == "tokenizer_json");
    config["tokenizer"] = "gpt2";
    write_text_file(m / "config.json", config.dump());
    std::filesystem::remove(m / "tokenizer.json");
    vocabulary.write_two_files(m);
    CHECK(load_checkpoint(m).tokenizer->ids("slow lower") == saved.tokenizer->ids("slow lower"));
}

TEST_CASE("a checkpoint that is saved and loaded continues a text as before") {
    const TemporaryFolder folder;
    const Checkpoint saved = model(folder.path() / "words");
    save_checkpoint(folder.path() / "m", saved);
    const Checkpoint loaded = load_checkpoint(folder.path() / "m");
    CpuBackend backend(1);
    const auto continued = [&](const Checkpoint& c) {
        Generator generator(backend, c.config, c.parameters);
        std::span<const float> next = generator.read(c.tokenizer->ids("low"));
        Rng rng(3);
        for (int i = 0; i < 8; ++i) {
            const int token = sample(next, 1.0f, 0, rng);
            next = generator.read({&token, 1});
        }
        return generator.tokens();
    };
    CHECK(continued(loaded) == continued(saved));
}
