#include "core/text/byte_pairs.h"

#include <algorithm>
#include <utility>

#include "core/base/error.h"
#include "core/text/gpt2_split.h"
#include "core/text/merge_table.h"
#include "core/text/shown_bytes.h"

namespace glassformer {
namespace {

/// Replaces the pair by its token, from the left; false when it is not there.
bool merge_tokens(std::vector<int>& tokens, const BytePairMerge& merge) {
    std::size_t kept = 0;
    for (std::size_t i = 0; i < tokens.size(); ++i, ++kept) {
        const bool here = i + 1 < tokens.size() && tokens[i] == merge.left && tokens[i + 1] == merge.right;
        tokens[kept] = here ? merge.token : tokens[i];
        if (here) ++i;
    }
    const bool merged = kept < tokens.size();
    tokens.resize(kept);
    return merged;
}

}  // namespace

bool BytePairTraining::ChosenFirst::operator()(const PairCount& a, const PairCount& b) const {
    if (a.count != b.count) return a.count > b.count;
    return std::pair(a.left, a.right) < std::pair(b.left, b.right);
}

BytePairTraining::BytePairTraining(std::string_view utf8, const BytePairOptions& options) : options_(options) {
    for (int byte = 0; byte < 256; ++byte) token_bytes_.emplace_back(1, static_cast<char>(byte));
    cut_into_words(utf8);
    if (words_.empty()) throw Error("the text to learn byte pairs from is empty");
    Changes counts;
    for (std::size_t index = 0; index < words_.size(); ++index) {
        const Word& word = words_[index];
        for (std::size_t i = 1; i < word.tokens.size(); ++i) {
            const std::uint64_t key = pair_key(word.tokens[i - 1], word.tokens[i]);
            counts[key] += word.count;
            std::vector<std::size_t>& holders = pairs_[key].words;
            if (holders.empty() || holders.back() != index) holders.push_back(index);
        }
    }
    for (const auto& [key, count] : counts) change_count(key, count);
}

void BytePairTraining::cut_into_words(std::string_view utf8) {
    std::unordered_map<std::string_view, std::size_t> seen;
    for (const std::string_view word : split_gpt2(utf8)) {
        const auto [at, is_new] = seen.emplace(word, words_.size());
        if (is_new) {
            words_.push_back({{}, 0});
            for (const char byte : word) words_.back().tokens.push_back(static_cast<unsigned char>(byte));
        }
        ++words_[at->second].count;
    }
    std::ranges::stable_sort(words_, std::ranges::greater(), &Word::count);
}

std::vector<PairCount> BytePairTraining::most_frequent(std::size_t n) const {
    std::vector<PairCount> table;
    for (auto at = ranking_.begin(); at != ranking_.end() && table.size() < n; ++at) table.push_back(*at);
    return table;
}

std::string BytePairTraining::token_text(int token) const {
    if (token < 0 || token >= size()) {
        throw Error("there is no token with id " + std::to_string(token) + "; there are " + std::to_string(size()));
    }
    return shown_bytes(token_bytes_[static_cast<std::size_t>(token)]);
}

std::optional<BytePairStep> BytePairTraining::step() {
    if (ranking_.empty() || ranking_.begin()->count < options_.min_count) return std::nullopt;
    const PairCount best = *ranking_.begin();
    const BytePairMerge merge{best.left, best.right, size(), best.count};
    BytePairStep done{merge, most_frequent(options_.table_size)};
    merges_.push_back(merge);
    token_bytes_.push_back(token_bytes_[static_cast<std::size_t>(best.left)] +
                           token_bytes_[static_cast<std::size_t>(best.right)]);
    Changes changes;
    const std::vector<std::size_t> holders = std::move(pairs_[pair_key(best.left, best.right)].words);
    for (const std::size_t index : holders) merge_in_word(index, merge, changes);
    for (const auto& [key, change] : changes) change_count(key, change);
    return done;
}

void BytePairTraining::merge_in_word(std::size_t index, const BytePairMerge& merge, Changes& changes) {
    Word& word = words_[index];
    std::vector<int> before = word.tokens;
    if (!merge_tokens(word.tokens, merge)) return;
    for (std::size_t i = 1; i < before.size(); ++i) changes[pair_key(before[i - 1], before[i])] -= word.count;
    for (std::size_t i = 1; i < word.tokens.size(); ++i) {
        const int left = word.tokens[i - 1], right = word.tokens[i];
        changes[pair_key(left, right)] += word.count;
        // Only pairs with the new token are new in this word.
        if (left != merge.token && right != merge.token) continue;
        std::vector<std::size_t>& holders = pairs_[pair_key(left, right)].words;
        if (holders.empty() || holders.back() != index) holders.push_back(index);
    }
}

void BytePairTraining::change_count(std::uint64_t key, std::int64_t change) {
    if (change == 0) return;
    const int left = static_cast<int>(key >> 32), right = static_cast<int>(key & 0xFFFFFFFFu);
    Pair& pair = pairs_[key];
    ranking_.erase({left, right, pair.count});
    pair.count += change;
    const std::size_t bytes =
        token_bytes_[static_cast<std::size_t>(left)].size() + token_bytes_[static_cast<std::size_t>(right)].size();
    if (pair.count > 0 && bytes <= max_token_bytes) ranking_.insert({left, right, pair.count});
    // It will not come back: new neighbours always have a new token among them.
    if (pair.count == 0) pairs_.erase(key);
}

}  // namespace glassformer
