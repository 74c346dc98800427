#pragma once

#include <cstddef>
#include <cstdint>
#include <unordered_map>
#include <vector>

namespace glassformer {

/// Two tokens packed into one number, for hash tables.
constexpr std::uint64_t pair_key(int left, int right) {
    return (static_cast<std::uint64_t>(static_cast<std::uint32_t>(left)) << 32) | static_cast<std::uint32_t>(right);
}

/// One merge in the encoding of a word.
struct EncodingStep {
    int merge;                ///< its index, in the order in which the merges were learned
    std::size_t position;     ///< where the new token is in `tokens`
    std::vector<int> tokens;  ///< the word after the merge
};

/// The merges of a byte-pair encoding and how they are applied (Sennrich et al. 2016): of all adjacent tokens that have
/// a merge, those with the earliest learned merge become one token, leftmost first; this repeats until no adjacent
/// tokens have a merge.
class MergeTable {
public:
    /// Adds the next merge. Returns false, and changes nothing, if the pair already has one.
    bool add(int left, int right, int token);

    /// Applies the merges in O(n log n) for a word of n symbols.
    std::vector<int> apply(std::vector<int> symbols) const;

    /// The same; `begins` gets the index of the first symbol that each token covers.
    std::vector<int> apply(std::vector<int> symbols, std::vector<std::size_t>& begins) const;

    /// The same, step by step; O(n²), for a displayed word.
    std::vector<EncodingStep> steps(const std::vector<int>& symbols) const;

private:
    struct Merge {
        int rank;
        int token;
    };
    struct Applied {
        Merge merge;
        std::size_t begin;  // index of the first symbol of the word that the new token covers
    };

    const Merge* find(int left, int right) const;
    /// Symbols consumed by a merge become `gone`.
    static constexpr int gone = -1;
    void merge(std::vector<int>& symbols, std::vector<Applied>* applied) const;

    std::unordered_map<std::uint64_t, Merge> merges_;
};

}  // namespace glassformer
