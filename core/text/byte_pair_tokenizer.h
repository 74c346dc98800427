#pragma once

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <optional>
#include <set>
#include <span>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "core/text/merge_table.h"
#include "core/text/tokenizer.h"

namespace glassformer {

/// Two adjacent tokens, and how often they are adjacent in the text.
struct PairCount {
    int left, right;
    std::int64_t count;
    bool operator==(const PairCount&) const = default;
};

/// The result of one training step: the pair becomes one token. Tokens 0 … 255 are the bytes; the token of merge i,
/// counted from 0, is 256 + i.
struct BytePairMerge {
    int left, right;
    int token;
    std::int64_t count;  ///< of the pair in the text before the merge
    bool operator==(const BytePairMerge&) const = default;
};

/// The maximum length of a token; pairs that would exceed it are never merged. It limits what a file can demand.
constexpr std::size_t max_token_bytes = 1024;

struct BytePairOptions {
    std::size_t table_size = 20;  ///< pairs in the table of each step
    std::int64_t min_count = 2;   ///< rarer pairs are not merged
};

struct BytePairStep {
    BytePairMerge merge;
    std::vector<PairCount> most_frequent;  ///< before the merge; the merged pair is first
};

/// Learns a byte-pair encoding step by step (Sennrich, Haddow, Birch 2016, "Neural Machine Translation of Rare Words
/// with Subword Units", on bytes instead of characters). The text is cut into words (split_gpt2: a word keeps the blank
/// before it), every word starts as its bytes, and each step merges the most frequent pair of adjacent tokens. Pairs
/// are counted within words, at every position ("aaa" contains the pair a a twice), and merged from the left.
///
/// Ties: merges the pair with the older left token (the smaller id), then the one with the older right token. So the
/// same text gives the same merges everywhere.
///
/// All merges of a text of n bytes take O(n log n), even if it is a single word, as in scripts without blanks.
class BytePairTraining {
public:
    /// Throws Error if the text is empty or not UTF-8 (naming the byte offset).
    explicit BytePairTraining(std::string_view utf8, const BytePairOptions& options = {});

    /// Does the next merge. Returns nothing, and changes nothing, if no pair is frequent and short enough.
    std::optional<BytePairStep> step();

    /// A word of the text: its current tokens, and how often it occurs.
    struct Word {
        std::vector<int> tokens;
        std::int64_t count;
    };
    /// The distinct words, most frequent first; ties in text order.
    std::vector<Word> words() const;

    /// All merges so far, oldest first, with their counts.
    const std::vector<BytePairMerge>& merges() const { return merges_; }

    /// The n pairs that may be merged next, best first.
    std::vector<PairCount> most_frequent(std::size_t n) const;

    /// Bytes plus merges so far.
    int size() const { return static_cast<int>(token_bytes_.size()); }
    /// Like Tokenizer::token_text.
    std::string token_text(int token) const;

private:
    using Place = std::uint32_t;  // index in symbols_
    struct Pair {
        std::int64_t count = 0;
        std::vector<Place> places;  // of its left tokens, ascending; may include stale ones
    };
    struct ChosenFirst {
        bool operator()(const PairCount& a, const PairCount& b) const;
    };
    using Changes = std::unordered_map<std::uint64_t, std::int64_t>;

    void cut_into_words(std::string_view utf8);
    std::int64_t count_at(Place at) const { return counts_[word_of_[at]]; }
    std::size_t length(int token) const;
    Place before(Place at) const;
    void merge_at(Place left, const BytePairMerge& merge, Changes& changes);
    void change_count(std::uint64_t key, std::int64_t change);

    BytePairOptions options_;
    /// The words one after another, with a marker before, between and after them. A token is stored at its first byte,
    /// and as last_byte_of() at its last, so that both neighbours of a place are found in O(1) even in a long word.
    std::vector<int> symbols_;
    std::vector<std::uint32_t> word_of_;  // of each symbol
    std::vector<std::int64_t> counts_;    // of the words in the text
    std::vector<std::string> token_bytes_;
    std::vector<BytePairMerge> merges_;
    std::unordered_map<std::uint64_t, Pair> pairs_;
    std::set<PairCount, ChosenFirst> ranking_;
};

/// Turns text into tokens by the merges of a BytePairTraining, and back. Ids 0 … 255 are the bytes, so no text is
/// unknown; the tokens of the merges follow in order.
class BytePairTokenizer final : public Tokenizer {
public:
    /// Throws Error naming the merge if its token is not 256 + its index, one of its parts is not an older token, its
    /// token is longer than max_token_bytes or has the same bytes as another, or its count is negative.
    explicit BytePairTokenizer(std::vector<BytePairMerge> merges);

    /// Reads byte_pairs.json: {"merges": [{"left": 116, "right": 104, "count": 523}, …]}. Errors name the file.
    static BytePairTokenizer load(const std::filesystem::path& path);
    void save(const std::filesystem::path& path) const;

    std::string_view kind() const override { return "byte_pairs"; }
    int size() const override { return static_cast<int>(token_bytes_.size()); }
    std::string token_text(int id) const override;
    std::vector<int> ids(std::string_view utf8) const override;
    /// Exact for the ids of any text. If tokens end in the middle of a character, each of its bytes becomes e.g. ⟨C3⟩,
    /// which ids() reads as this byte.
    std::string decode(std::span<const int> ids) const override;
    void save_in(const std::filesystem::path& folder) const override { save(folder / "byte_pairs.json"); }

    const std::vector<BytePairMerge>& merges() const { return merges_; }

private:
    const std::string& bytes_of(int id) const;

    std::vector<BytePairMerge> merges_;
    std::vector<std::string> token_bytes_;
    MergeTable table_;
};

}  // namespace glassformer
