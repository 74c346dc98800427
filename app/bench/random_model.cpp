#include "app/bench/random_model.h"

#include <filesystem>
#include <string>

#include "app/bench/bench.h"
#include "core/io/checkpoint.h"
#include "core/platform/process.h"

namespace glassformer::app::bench {

namespace {

constexpr int few_words = 512;

/// A folder that goes with this, and with it whatever is in it then.
class TemporaryFolder {
public:
    TemporaryFolder()
        : path_(std::filesystem::temp_directory_path() /
                ("glassformer-large-" + std::to_string(platform::process_id()))) {}
    ~TemporaryFolder() {
        std::error_code ignored;
        std::filesystem::remove_all(path_, ignored);
    }
    TemporaryFolder(const TemporaryFolder&) = delete;
    TemporaryFolder& operator=(const TemporaryFolder&) = delete;
    const std::filesystem::path& path() const { return path_; }

private:
    std::filesystem::path path_;
};

void save_random_model(const std::filesystem::path& folder, const TransformerConfig& config) {
    Checkpoint checkpoint;
    checkpoint.config = config;
    const TransformerGraph one = build_transformer(checkpoint.config, {1, 1});
    checkpoint.parameters = std::make_shared<std::vector<float>>(initial_parameters(*one.graph, 1));
    save_checkpoint(folder, checkpoint);
}

/// Token ids as one would type them.
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
