#include "core/text/byte_pair_tokenizer.h"

#include <algorithm>
#include <limits>
#include <unordered_set>
#include <utility>

#include "core/base/error.h"
#include "core/text/json_file.h"
#include "core/text/lone_bytes.h"
#include "core/text/pipeline.h"
#include "core/text/shown_bytes.h"
#include "core/text/text_file.h"
#include "core/text/utf8.h"

namespace glassformer {

namespace {

/// Markers in the list of symbols; every other negative number is the last byte of a token: see BytePairTraining.
constexpr int inside = -1, between_words = -2;

constexpr int last_byte_of(int token) { return -3 - token; }

constexpr int first_merge = 256;
constexpr std::size_t max_pairs_bytes = 32u << 20;
constexpr std::size_t max_merges = 1u << 18;

std::vector<int> byte_tokens(std::string_view word) {
    std::vector<int> tokens;
    tokens.reserve(word.size());
    for (const char byte : word) tokens.push_back(static_cast<unsigned char>(byte));
    return tokens;
}

/// An integer of at least 0 in the object of a file's merge `i`.
std::int64_t number(const nlohmann::json& object, const char* key, std::int64_t largest,
                    const std::filesystem::path& file, std::size_t i) {
    const auto found = object.is_object() ? object.find(key) : object.end();
    if (found == object.end()) throw Error("{1}: merge {2} has no \"{3}\"", file, i, key);
    if (!found->is_number_unsigned() || found->get<std::uint64_t>() > static_cast<std::uint64_t>(largest))
        throw Error("{1}: merge {2} has the \"{3}\" {4}; a whole number of 0 to {5} is needed", file, i, key,
                    in_quotes(found->dump()), largest);
    return found->get<std::int64_t>();
}

}  // namespace

bool BytePairTraining::ChosenFirst::operator()(const PairCount& a, const PairCount& b) const {
    if (a.count != b.count) return a.count > b.count;
    return std::pair(a.left, a.right) < std::pair(b.left, b.right);
}

BytePairTraining::BytePairTraining(std::string_view utf8, const BytePairOptions& options) : options_(options) {
    for (int byte = 0; byte < 256; ++byte) token_bytes_.emplace_back(1, static_cast<char>(byte));
    cut_into_words(utf8);
    if (counts_.empty()) throw Error("the text to learn byte pairs from is empty");
    Changes counts;
    for (Place left = 0; left < symbols_.size(); ++left) {
        if (symbols_[left] == between_words || symbols_[left + 1] == between_words) continue;
        const std::uint64_t key = pair_key(symbols_[left], symbols_[left + 1]);
        counts[key] += count_at(left);
        pairs_[key].places.push_back(left);
    }
    for (const auto& [key, count] : counts) change_count(key, count);
}

void BytePairTraining::cut_into_words(std::string_view utf8) {
    std::unordered_map<std::string_view, std::size_t> seen;
    std::vector<std::pair<std::string_view, std::int64_t>> words;
    for (const std::string_view word : split_gpt2(utf8)) {
        const auto [at, is_new] = seen.emplace(word, words.size());
        if (is_new) words.emplace_back(word, 0);
        ++words[at->second].second;
    }
    std::ranges::stable_sort(words, std::ranges::greater(), [](const auto& word) { return word.second; });
    std::size_t bytes = 1;
    for (const auto& [word, count] : words) bytes += word.size() + 1;
    if (bytes > std::numeric_limits<Place>::max()) throw Error("the text to learn byte pairs from is over 4 GB");
    symbols_.reserve(bytes);
    word_of_.reserve(bytes);
    const auto add = [&](int symbol) {
        symbols_.push_back(symbol);
        word_of_.push_back(static_cast<std::uint32_t>(counts_.size()));
    };
    add(between_words);
    for (const auto& [word, count] : words) {
        for (const char byte : word) add(static_cast<unsigned char>(byte));
        counts_.push_back(count);
        add(between_words);
    }
}

std::vector<BytePairTraining::Word> BytePairTraining::words() const {
    std::vector<Word> words;
    for (const std::int64_t count : counts_) words.push_back({{}, count});
    for (Place at = 0; at < symbols_.size(); ++at)
        if (symbols_[at] >= 0) words[word_of_[at]].tokens.push_back(symbols_[at]);
    return words;
}

std::vector<PairCount> BytePairTraining::most_frequent(std::size_t n) const {
    std::vector<PairCount> table;
    for (auto at = ranking_.begin(); at != ranking_.end() && table.size() < n; ++at) table.push_back(*at);
    return table;
}

std::string BytePairTraining::token_text(int token) const {
    if (token < 0 || token >= size()) throw Error("there is no token with id {1}; there are {2}", token, size());
    return shown_bytes(token_bytes_[token]);
}

std::optional<BytePairStep> BytePairTraining::step() {
    if (ranking_.empty() || ranking_.begin()->count < options_.min_count) return std::nullopt;
    const PairCount best = *ranking_.begin();
    const BytePairMerge merge{best.left, best.right, size(), best.count};
    BytePairStep done{merge, most_frequent(options_.table_size)};
    merges_.push_back(merge);
    token_bytes_.push_back(token_bytes_[best.left] + token_bytes_[best.right]);
    Changes changes;
    // They are in order, so the pairs of a word are merged from the left.
    const std::vector<Place> places = std::move(pairs_[pair_key(best.left, best.right)].places);
    for (const Place left : places) merge_at(left, merge, changes);
    for (const auto& [key, change] : changes) change_count(key, change);
    return done;
}

std::size_t BytePairTraining::length(int token) const { return token_bytes_[token].size(); }

/// Where the token before the one at `at` begins; `at` itself for the first token of a word.
BytePairTraining::Place BytePairTraining::before(Place at) const {
    const int symbol = symbols_[at - 1];
    if (symbol == between_words) return at;
    return symbol >= 0 ? at - 1 : at - static_cast<Place>(length(last_byte_of(symbol)));
}

void BytePairTraining::merge_at(Place left, const BytePairMerge& merge, Changes& changes) {
    // Another merge may have consumed either token since this place was recorded.
    if (symbols_[left] != merge.left) return;
    const Place right = left + static_cast<Place>(length(merge.left));
    if (symbols_[right] != merge.right) return;
    const Place end = right + static_cast<Place>(length(merge.right)), previous = before(left);
    const std::int64_t count = count_at(left);
    changes[pair_key(merge.left, merge.right)] -= count;
    if (previous != left) {
        changes[pair_key(symbols_[previous], merge.left)] -= count;
        const std::uint64_t key = pair_key(symbols_[previous], merge.token);
        changes[key] += count;
        pairs_[key].places.push_back(previous);
    }
    if (symbols_[end] != between_words) {
        changes[pair_key(merge.right, symbols_[end])] -= count;
        const std::uint64_t key = pair_key(merge.token, symbols_[end]);
        changes[key] += count;
        pairs_[key].places.push_back(left);
    }
    symbols_[right] = symbols_[right - 1] = inside;
    symbols_[end - 1] = last_byte_of(merge.token);
    symbols_[left] = merge.token;
}

void BytePairTraining::change_count(std::uint64_t key, std::int64_t change) {
    const int left = static_cast<int>(key >> 32), right = static_cast<int>(key & 0xFFFFFFFFu);
    Pair& pair = pairs_[key];
    if (change != 0) {
        ranking_.erase({left, right, pair.count});
        pair.count += change;
        if (pair.count > 0 && length(left) + length(right) <= max_token_bytes)
            ranking_.insert({left, right, pair.count});
    }
    // It cannot come back: new neighbours always include a new token.
    if (pair.count == 0) pairs_.erase(key);
}

BytePairTokenizer::BytePairTokenizer(std::vector<BytePairMerge> merges) : merges_(std::move(merges)) {
    for (int byte = 0; byte < first_merge; ++byte) token_bytes_.emplace_back(1, static_cast<char>(byte));
    if (merges_.size() > max_merges)
        throw Error("there are {1} merges; at most {2} are possible", merges_.size(), max_merges);
    std::unordered_set<std::string> known(token_bytes_.begin(), token_bytes_.end());
    for (std::size_t i = 0; i < merges_.size(); ++i) {
        const BytePairMerge& merge = merges_[i];
        for (const int part : {merge.left, merge.right}) {
            if (part < 0 || part >= size())
                throw Error("merge {1} joins the token {2}, but only the tokens 0 to {3} come before it", i, part,
                            size() - 1);
        }
        if (merge.token != size()) throw Error("merge {1} must make the token {2}", i, size());
        if (merge.count < 0) throw Error("merge {1} has a negative count", i);
        std::string bytes = bytes_of(merge.left) + bytes_of(merge.right);
        if (bytes.size() > max_token_bytes)
            throw Error("merge {1} makes a token of {2} bytes; at most {3} are possible", i, bytes.size(),
                        max_token_bytes);
        // In training, the same bytes elsewhere are merged in the same order, so no token is made in two ways.
        if (!known.insert(bytes).second)
            throw Error("merge {1} makes {2}, which is already a token", i, in_quotes(bytes));
        table_.add(merge.left, merge.right, merge.token);
        token_bytes_.push_back(std::move(bytes));
    }
}

BytePairTokenizer BytePairTokenizer::load(const std::filesystem::path& path) {
    const nlohmann::json root = read_json_file(path, max_pairs_bytes);
    const nlohmann::json& list = field_of(root, "merges", path);
    if (!list.is_array()) throw Error("{1}: \"merges\" is not a list", path);
    std::vector<BytePairMerge> merges;
    for (const nlohmann::json& entry : list) {
        const std::size_t i = merges.size();
        const int token = first_merge + static_cast<int>(i);
        merges.push_back({static_cast<int>(number(entry, "left", token - 1, path, i)),
                          static_cast<int>(number(entry, "right", token - 1, path, i)), token,
                          number(entry, "count", std::numeric_limits<std::int64_t>::max(), path, i)});
    }
    try {
        return BytePairTokenizer(std::move(merges));
    } catch (const Error& error) {
        throw Error("{1}: {2}", path, error.what());
    }
}

void BytePairTokenizer::save(const std::filesystem::path& path) const {
    std::string text = "{\"merges\": [";
    for (std::size_t i = 0; i < merges_.size(); ++i)
        text += std::string(i == 0 ? "\n" : ",\n") + "  {\"left\": " + std::to_string(merges_[i].left) +
                ", \"right\": " + std::to_string(merges_[i].right) +
                ", \"count\": " + std::to_string(merges_[i].count) + "}";
    write_text_file(path, text + "\n]}\n");
}

const std::string& BytePairTokenizer::bytes_of(int id) const {
    if (id < 0 || id >= size()) throw Error("there is no token with id {1}; the vocabulary has {2}", id, size());
    return token_bytes_[id];
}

std::string BytePairTokenizer::token_text(int id) const { return shown_bytes(bytes_of(id)); }

std::vector<int> BytePairTokenizer::ids(std::string_view utf8) const {
    check_utf8(utf8);
    std::vector<int> found;
    const std::string text = with_lone_bytes(utf8);
    for (const std::string_view word : split_gpt2(text)) {
        const std::vector<int> tokens = table_.apply(byte_tokens(bytes_of_lone(word)));
        found.insert(found.end(), tokens.begin(), tokens.end());
    }
    if (found.empty()) throw Error("the text has no token");
    return found;
}

std::string BytePairTokenizer::decode(std::span<const int> ids) const {
    std::string bytes;
    for (const int id : ids) bytes += bytes_of(id);
    return as_utf8(bytes);
}

}  // namespace glassformer
