#pragma once

#include <cstdint>
#include <set>
#include <string>
#include <vector>

#include "core/base/rng.h"

namespace glassformer {

/// Data that a model learns from, and data that it is tested on.
enum class Split { train, held_out };

/// A generated language is always the same; only the model varies with the training seed.
inline constexpr std::uint64_t corpus_seed = 1;

/// The held-out rule of the worlds: of all combinations of certain words (the sum of their indexes in their lists), one
/// in five is held out. Every word, and every pair of words, is in both splits.
inline constexpr int held_out_one_in = 5;
inline bool is_held_out(int sum_of_places) { return sum_of_places % held_out_one_in == 0; }

/// How often a world redraws to find a sentence that the split allows.
inline constexpr int max_draws = 10'000;

/// `count` distinct sentences; fewer if the world has hardly more. The same seed gives the same corpus.
template <typename Language>
auto distinct_sentences(const Language& language, Split split, std::size_t count, std::uint64_t seed) {
    constexpr int patience = 2000;  // draws in a row without a new sentence
    Rng rng(seed, split == Split::train ? 0 : 1);
    std::vector<decltype(language.generate(split, rng))> sentences;
    std::set<std::vector<std::string>> seen;
    for (int misses = 0; sentences.size() < count && misses < patience; ++misses) {
        auto sentence = language.generate(split, rng);
        if (!seen.insert(sentence.words).second) continue;
        sentences.push_back(std::move(sentence));
        misses = -1;
    }
    return sentences;
}

}  // namespace glassformer
