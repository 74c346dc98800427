#include "tests/bench/random_model.h"

#include <filesystem>
#include <string>

#include "core/io/checkpoint.h"
#include "tests/bench/bench.h"
#include "tests/core/temporary_folder.h"

namespace glassformer::app::bench {

namespace {

constexpr int few_words = 512;

void save_random_model(const std::filesystem::path& folder, const TransformerConfig& config) {
    Checkpoint checkpoint;
    checkpoint.config = config;
    const TransformerGraph one = build_transformer(checkpoint.config, {1, 1});
    checkpoint.parameters = std::make_shared<ParameterValues>(initial_parameters(*one.graph, 1));
    save_checkpoint(folder, checkpoint);
}

/// Token ids as a user would type them.
std::string some_tokens(int count, int seed) {
    std::string text;
    for (int p = 0; p < count; ++p) text += (p ? " " : "") + std::to_string((p * 7919 + seed) % few_words);
    return text;
}

}  // namespace

TransformerConfig large_model() {
    TransformerConfig c = gpt2_small();
    c.d_vocab = few_words;
    return c;
}

std::unique_ptr<Session> open_random(const TransformerConfig& config, int tokens, int threads) {
    const TemporaryFolder folder;
    save_random_model(folder.path(), config);
    Session::Options options;
    options.checkpoint = folder.path();
    options.sentences = {some_tokens(tokens, 11), some_tokens(tokens / 8, 3)};
    options.threads = threads;
    return std::make_unique<Session>(std::move(options));
}

}  // namespace glassformer::app::bench
