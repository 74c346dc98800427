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

/// Continues a text word by word. Keys and values of the words before are kept, so that a new word costs one pass for
/// itself alone; models that cannot do that (see supports_kv_cache) read the whole text again each time. Not
/// thread-safe.
class Generator {
public:
    /// Throws Error when the model is not one that writes words from left to right.
    Generator(Backend& backend, const TransformerConfig& config, Parameters parameters);

    /// Reads these words after those read before. Returns the logits [d_vocab] of the word that comes next, valid until
    /// the next call. Throws Error, with nothing read, for no words, an id outside the vocabulary, or more than n_ctx
    /// words in all.
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
    std::int64_t kept_ = 0;  // words whose keys and values lie in run_'s inputs
};

/// What else is cut off before a word is drawn.
struct Cut {
    float top_p = 1.0f;  // the likeliest words stay that have this share of the probability together (Holtzman 2020)
    float min_p = 0.0f;  // those stay that have at least this share of the likeliest word's (Nguyen 2024)
    bool none() const { return top_p >= 1.0f && min_p <= 0.0f; }
    bool operator==(const Cut&) const = default;
};

/// The likeliest words that stay, and their share of softmax(logits / temperature).
struct Remaining {
    std::size_t words = 0;
    double probability = 0.0;
};
/// Of all words the `top_k` most likely (0: all), of these those of top_p, counted among them alone, and of these those
/// of min_p; the most likely one always. `temperature` is above 0.
Remaining remaining(std::span<const float> logits, float temperature, int top_k, const Cut& cut);

/// Draws a word from softmax(logits / temperature) among those that stay: see remaining(). Temperature 0: the most
/// likely word. Throws Error for a negative temperature or one that is not a number.
int sample(std::span<const float> logits, float temperature, int top_k, Rng& rng, const Cut& cut = {});

}  // namespace glassformer
