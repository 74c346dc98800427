#pragma once

#include <optional>
#include <span>
#include <string_view>
#include <vector>

#include "core/analysis/rollout.h"
#include "core/text/tokenizer.h"

namespace glassformer {

/// The attention of several heads combined into one matrix [query, key].
struct MixedPatterns {
    std::vector<float> mean;     ///< mean over the heads; rows sum to 1 as theirs do
    std::vector<float> largest;  ///< maximum over the heads: whatever any of them attends to
    std::vector<float> rollout;  ///< see AttentionRollout
};

/// Combines the blocks of a model, added one after another.
class PatternMixer {
public:
    PatternMixer(int positions, double own) : rollout_(positions, own) {}

    /// Adds the next block's weights [head, query, key]. Returns the mean and maximum over its heads, and the rollout
    /// so far. Throws Error if they do not match the number of positions.
    MixedPatterns add_block(std::span<const float> pattern);
    /// The same over the heads of all blocks so far.
    MixedPatterns all() const;

private:
    AttentionRollout rollout_;
    std::vector<double> sum_;
    std::vector<float> largest_;
    int heads_ = 0;
};

/// The mean weight of a pattern [query, key] on the first token, over all queries except the first. None for a single
/// token. A head that puts most of its weight there, whatever the query, has an "attention sink" (Xiao et al. 2023,
/// "Efficient Streaming Language Models with Attention Sinks"): rows must sum to 1, so unneeded weight has to go
/// somewhere. Throws Error if the pattern is not length × length.
std::optional<double> weight_on_first(std::span<const float> pattern, int length);

/// Weights [query, key] without the first key: its column is 0, and the rest of each row is divided by its sum. A row
/// with nothing else becomes 0.
std::vector<float> without_first_key(std::span<const float> weights, int length);

/// Turns weights between tokens into weights between words of one or more tokens: the sum over the tokens of the key
/// word, and the mean over those of the query word (Clark et al. 2019, "What Does BERT Look At?"), so row sums stay the
/// same. `word_of` gives the word of each token, from 0, ascending.
std::vector<float> weights_of_words(std::span<const float> weights, std::span<const int> word_of);

/// How much the tokens of one group attend to those of another, from weights [query, key]: the sum over the keys in
/// group `to`, averaged over the queries in group `from`. None if no token is in `from`.
std::optional<double> weight_between(std::span<const float> weights, std::span<const int> group_of, int from, int to);

/// The written word of each token, from 0, ascending; blanks separate words. Special tokens are words of their own.
/// Empty if the tokenizer does not turn this text into these tokens.
std::vector<int> written_words(const Tokenizer& tokenizer, std::string_view text, std::span<const int> tokens);

}  // namespace glassformer
