#pragma once

#include <optional>
#include <span>
#include <string_view>
#include <vector>

#include "core/analysis/rollout.h"
#include "core/text/tokenizer.h"

namespace glassformer {

/// Attention of several heads as one matrix [query, key].
struct MixedPatterns {
    std::vector<float> mean;     ///< over the heads; its rows sum to 1 as theirs do
    std::vector<float> largest;  ///< of all heads at each cell: what any of them sees
    std::vector<float> rollout;  ///< see AttentionRollout
};

/// Takes the blocks of a model one after the other.
class PatternMixer {
public:
    PatternMixer(int positions, double own) : rollout_(positions, own) {}

    /// The next block's weights [head, query, key]. Its heads' mean and maximum, and the rollout up to it. Throws Error
    /// when they are not of so many positions.
    MixedPatterns add_block(std::span<const float> pattern);
    /// Over the heads of all blocks so far.
    MixedPatterns all() const;

private:
    AttentionRollout rollout_;
    std::vector<double> sum_;
    std::vector<float> largest_;
    int heads_ = 0;
};

/// The mean weight of a pattern [query, key] on the first token, over all queries but the first itself. None for a
/// single token. A head that puts most of its weight there whatever is asked has an "attention sink" (Xiao et al. 2023,
/// "Efficient Streaming Language Models with Attention Sinks"): rows must sum to 1, so weight that is not needed has to
/// go somewhere. Throws Error when the pattern is not length × length.
std::optional<double> weight_on_first(std::span<const float> pattern, int length);

/// Weights [query, key] with the first column left out: 0 there, and the rest of each row divided by its sum. A row
/// that has nothing else is 0.
std::vector<float> without_first_key(std::span<const float> weights, int length);

/// Weights between words that are one or more tokens each: summed over the tokens of a word that is looked at, and the
/// mean over those of a word that looks (Clark et al. 2019, "What Does BERT Look At?"), so that rows sum to what they
/// did. `word_of` has the word of each token, from 0 on, ascending.
std::vector<float> weights_of_words(std::span<const float> weights, std::span<const int> word_of);

/// How much the tokens of one group read those of another: over the queries of group `from` the mean, over the keys of
/// group `to` the sum of the weights [query, key]. None where no token is in `from`.
std::optional<double> weight_between(std::span<const float> weights, std::span<const int> group_of, int from, int to);

/// The written word that each token is of, where blanks part words; from 0 on, ascending. Special tokens are words of
/// their own. Empty where the tokenizer does not make these tokens of this text.
std::vector<int> written_words(const Tokenizer& tokenizer, std::string_view text, std::span<const int> tokens);

}  // namespace glassformer
