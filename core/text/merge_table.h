#pragma once

#include <cstddef>
#include <cstdint>
#include <unordered_map>
#include <vector>

namespace glassformer {

/// Two tokens as one number, for hash tables.
constexpr std::uint64_t pair_key(int left, int right) {
    return (static_cast<std::uint64_t>(static_cast<std::uint32_t>(left)) << 32) | static_cast<std::uint32_t>(right);
}

/// One merge in the encoding of a word.
struct EncodingStep {
    int merge;                ///< which one, counted from 0 in the order in which they were learned
    std::size_t position;     ///< where the new token is in `tokens`
    std::vector<int> tokens;  ///< the word after the merge
};

/// The merges of a byte-pair encoding and how they are applied (Sennrich et al. 2016): of all neighbours in the word
/// that have a merge, those whose merge was learned first become one token, the leftmost first; again until no
/// neighbours have a merge.
class MergeTable {
public:
    /// The next merge. False, with nothing changed, when the pair has one already.
    bool add(int left, int right, int token);

    /// In O(n log n) for a word of n symbols.
    std::vector<int> apply(std::vector<int> symbols) const;

    /// The same, with the index of the first of the symbols that each token covers.
    std::vector<int> apply(std::vector<int> symbols, std::vector<std::size_t>& begins) const;

    /// The same, step by step; O(n²), for a word on the screen.
    std::vector<EncodingStep> steps(const std::vector<int>& symbols) const;

private:
    struct Merge {
        int rank;
        int token;
    };
    struct Applied {
        Merge merge;
        std::size_t begin;  // index of the first of the word's symbols that the new token covers
    };

    const Merge* find(int left, int right) const;
    /// Symbols that a merge has taken become `gone`.
    static constexpr int gone = -1;
    void merge(std::vector<int>& symbols, std::vector<Applied>* applied) const;

    std::unordered_map<std::uint64_t, Merge> merges_;
};

}  // namespace glassformer
