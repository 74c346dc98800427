#pragma once

#include <cstdint>
#include <memory>
#include <span>
#include <vector>

#include "core/backend/backend.h"
#include "core/base/rng.h"
#include "core/graph/parameters.h"
#include "core/nn/transformer.h"

namespace glassformer {

/// Continues a text word by word. Uses a KV cache, so that a new word costs one pass over that word alone; models that
/// do not support it (see supports_kv_cache) read the whole text again each time. Not thread-safe.
class Generator {
public:
    /// Throws Error if the model does not generate words from left to right.
    Generator(Backend& backend, const TransformerConfig& config, Parameters parameters);

    /// Appends these words to those read before. Returns the logits [d_vocab] of the next word, valid until the next
    /// call. Throws Error, without reading anything, for no words, an id outside the vocabulary, or more than n_ctx
    /// words in total.
    std::span<const float> read(std::span<const int> tokens);
    /// Forgets all words.
    void restart();

    const std::vector<int>& tokens() const { return tokens_; }

private:
    std::unique_ptr<Execution> run_whole(const TransformerGraph& whole, std::span<const int> tokens,
                                         std::vector<int> keep);
    void read_all();
    void keep(std::span<const int> tokens);
    void read_next(int token);
    void make_room();
    void keep_rows(const Execution& from, int keys, int values, std::size_t layer, std::int64_t first,
                   std::int64_t count);

    Backend& backend_;
    TransformerConfig config_;
    Parameters parameters_;
    std::vector<int> tokens_;
    std::vector<float> logits_, rows_;
    NextWordGraph next_;
    std::unique_ptr<Execution> run_;
    std::int64_t kept_ = 0;  // words whose keys and values are in run_'s inputs
};

/// Further truncation of the distribution before sampling.
struct Cut {
    float top_p =
        1.0f;  // keep the most probable words that together have this share of the probability (Holtzman 2020)
    float min_p = 0.0f;  // keep words with at least this share of the most probable word's probability (Nguyen 2024)
    bool none() const { return top_p >= 1.0f && min_p <= 0.0f; }
    bool operator==(const Cut&) const = default;
};

/// The number of words that remain, and their share of softmax(logits / temperature).
struct Remaining {
    std::size_t words = 0;
    double probability = 0.0;
};
/// First keeps the `top_k` most probable words (0: all), then applies top_p, relative to those alone, and then min_p;
/// always keeps the most probable word. `temperature` must be above 0.
Remaining remaining(std::span<const float> logits, float temperature, int top_k, const Cut& cut);

/// Draws a word from softmax(logits / temperature) over the remaining words: see remaining(). Temperature 0: the most
/// probable word. Throws Error if the temperature is negative or NaN.
int sample(std::span<const float> logits, float temperature, int top_k, Rng& rng, const Cut& cut = {});

}  // namespace glassformer
