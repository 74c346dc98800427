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

/// Two neighbouring tokens and how often they stand side by side in the text.
struct PairCount {
    int left, right;
    std::int64_t count;
    bool operator==(const PairCount&) const = default;
};

/// What the training has learned in one step: the pair becomes one token. Tokens 0 … 255 are the bytes; the token of
/// merge i, counted from 0, is 256 + i.
struct BytePairMerge {
    int left, right;
    int token;
    std::int64_t count;  ///< of the pair in the text, when it was merged
    bool operator==(const BytePairMerge&) const = default;
};

/// A token is no longer than this; a pair whose token would be is never merged. It bounds what a file can ask for.
constexpr std::size_t max_token_bytes = 1024;

struct BytePairOptions {
    std::size_t table_size = 20;  ///< pairs in the table of each step
    std::int64_t min_count = 2;   ///< a pair that is rarer is not merged
};

struct BytePairStep {
    BytePairMerge merge;
    std::vector<PairCount> most_frequent;  ///< before the merge, the merged pair first
};

/// Learns a byte-pair encoding step by step (Sennrich, Haddow, Birch 2016, "Neural Machine Translation of Rare Words
/// with Subword Units", on bytes instead of characters): the text is cut into words (split_gpt2: a word keeps the blank
/// before it), every word begins as its bytes, and each step makes one token of the most frequent pair of neighbours.
/// Pairs are counted within words, at every place ("aaa" holds the pair a a twice), and merged from the left.
///
/// Equally frequent pairs: the one with the older left token (the smaller id) is merged; with the same left token, the
/// one with the older right token. So the same text gives the same merges everywhere.
///
/// All merges of a text of n bytes take O(n log n), also where it is one word, as in scripts without blanks.
class BytePairTraining {
public:
    /// Throws Error when the text is not UTF-8 (naming the byte offset) or is empty.
    explicit BytePairTraining(std::string_view utf8, const BytePairOptions& options = {});

    /// The next merge; nothing, and nothing changed, when no pair is frequent and short enough.
    std::optional<BytePairStep> step();

    /// A word of the text: its present tokens, and how often it occurs.
    struct Word {
        std::vector<int> tokens;
        std::int64_t count;
    };
    /// The different words, the most frequent first; equally frequent ones as they come in the text.
    std::vector<Word> words() const;

    /// All merges so far, oldest first, with their counts.
    const std::vector<BytePairMerge>& merges() const { return merges_; }

    /// The n pairs that may be merged next, in the order in which they would be chosen now.
    std::vector<PairCount> most_frequent(std::size_t n) const;

    /// Bytes and merges so far.
    int size() const { return static_cast<int>(token_bytes_.size()); }
    /// As Tokenizer::token_text.
    std::string token_text(int token) const;

private:
    using Place = std::uint32_t;  // in symbols_
    struct Pair {
        std::int64_t count = 0;
        std::vector<Place> places;  // of its left tokens, growing: at least all there are
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
    /// The words one after another, a mark before, between and behind them. A token is at its first byte, and as
    /// last_byte_of() at its last one, so that both neighbours of a place are found at once, however long the word is.
    std::vector<int> symbols_;
    std::vector<std::uint32_t> word_of_;  // of each symbol
    std::vector<std::int64_t> counts_;    // of the words in the text
    std::vector<std::string> token_bytes_;
    std::vector<BytePairMerge> merges_;
    std::unordered_map<std::uint64_t, Pair> pairs_;
    std::set<PairCount, ChosenFirst> ranking_;
};

/// Turns text into tokens by the merges that a BytePairTraining has learned, and back. Ids 0 … 255 are the bytes, so no
/// text is unknown; the merges' tokens follow in their order.
class BytePairTokenizer final : public Tokenizer {
public:
    /// Throws Error naming the merge when its token is not 256 + its place, one of its parts is no older token, its
    /// token is longer than max_token_bytes or the same bytes as another's, or its count is negative.
    explicit BytePairTokenizer(std::vector<BytePairMerge> merges);

    /// Reads byte_pairs.json: {"merges": [{"left": 116, "right": 104, "count": 523}, …]}. Errors name the file.
    static BytePairTokenizer load(const std::filesystem::path& path);
    void save(const std::filesystem::path& path) const;

    std::string_view kind() const override { return "byte_pairs"; }
    int size() const override { return static_cast<int>(token_bytes_.size()); }
    std::string token_text(int id) const override;
    std::vector<int> ids(std::string_view utf8) const override;
    /// Exact for the ids of any text. Tokens that end in the middle of a character leave ⟨C3⟩ or the like for each of
    /// its bytes.
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
