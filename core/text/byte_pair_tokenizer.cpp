#include "core/text/byte_pair_tokenizer.h"

#include <limits>
#include <unordered_set>
#include <utility>

#include "core/base/error.h"
#include "core/text/json_file.h"
#include "core/text/pre_tokenizers.h"
#include "core/text/shown_bytes.h"
#include "core/text/text_file.h"

namespace glassformer {
namespace {

constexpr int first_merge = 256;
constexpr std::size_t max_pairs_bytes = 32u << 20;
constexpr std::size_t max_merges = 1u << 18;

std::vector<int> byte_tokens(std::string_view word) {
    std::vector<int> tokens;
    tokens.reserve(word.size());
    for (const char byte : word) tokens.push_back(static_cast<unsigned char>(byte));
    return tokens;
}

/// A whole number of at least 0 in a merge's object.
std::int64_t number(const nlohmann::json& object, const char* key, std::int64_t largest, const std::string& where) {
    const auto found = object.is_object() ? object.find(key) : object.end();
    if (found == object.end()) throw Error(where + "has no \"" + key + "\"");
    if (!found->is_number_unsigned() || found->get<std::uint64_t>() > static_cast<std::uint64_t>(largest)) {
        throw Error(where + "has the \"" + key + "\" " + in_quotes(found->dump()) + "; a whole number of 0 to " +
                    std::to_string(largest) + " is needed");
    }
    return found->get<std::int64_t>();
}

}  // namespace

BytePairTokenizer::BytePairTokenizer(std::vector<BytePairMerge> merges) : merges_(std::move(merges)) {
    for (int byte = 0; byte < first_merge; ++byte) token_bytes_.emplace_back(1, static_cast<char>(byte));
    if (merges_.size() > max_merges) {
        throw Error("there are " + std::to_string(merges_.size()) + " merges; at most " + std::to_string(max_merges) +
                    " are possible");
    }
    std::unordered_set<std::string> known(token_bytes_.begin(), token_bytes_.end());
    for (std::size_t i = 0; i < merges_.size(); ++i) {
        const BytePairMerge& merge = merges_[i];
        const std::string where = "merge " + std::to_string(i) + " ";
        for (const int part : {merge.left, merge.right}) {
            if (part < 0 || part >= size())
                throw Error(where + "joins the token " + std::to_string(part) + ", but only the tokens 0 to " +
                            std::to_string(size() - 1) + " come before it");
        }
        if (merge.token != size()) throw Error(where + "must make the token " + std::to_string(size()));
        if (merge.count < 0) throw Error(where + "has a negative count");
        std::string bytes = bytes_of(merge.left) + bytes_of(merge.right);
        if (bytes.size() > max_token_bytes) {
            throw Error(where + "makes a token of " + std::to_string(bytes.size()) + " bytes; at most " +
                        std::to_string(max_token_bytes) + " are possible");
        }
        // In a training, the same bytes in another place are merged in the same order: no token is made in two ways.
        if (!known.insert(bytes).second)
            throw Error(where + "makes " + in_quotes(bytes) + ", which is a token already");
        table_.add(merge.left, merge.right, merge.token);
        token_bytes_.push_back(std::move(bytes));
    }
}

BytePairTokenizer BytePairTokenizer::load(const std::filesystem::path& path) {
    const nlohmann::json root = read_json_file(path, max_pairs_bytes);
    const nlohmann::json& list = field_of(root, "merges", path);
    if (!list.is_array()) throw Error(path.string() + ": \"merges\" is not a list");
    std::vector<BytePairMerge> merges;
    for (const nlohmann::json& entry : list) {
        const std::string where = path.string() + ": merge " + std::to_string(merges.size()) + " ";
        const int token = first_merge + static_cast<int>(merges.size());
        merges.push_back({static_cast<int>(number(entry, "left", token - 1, where)),
                          static_cast<int>(number(entry, "right", token - 1, where)), token,
                          number(entry, "count", std::numeric_limits<std::int64_t>::max(), where)});
    }
    try {
        return BytePairTokenizer(std::move(merges));
    } catch (const Error& error) {
        throw Error(path.string() + ": " + error.what());
    }
}

void BytePairTokenizer::save(const std::filesystem::path& path) const {
    std::string text = "{\"merges\": [";
    for (std::size_t i = 0; i < merges_.size(); ++i) {
        text += std::string(i == 0 ? "\n" : ",\n") + "  {\"left\": " + std::to_string(merges_[i].left) +
                ", \"right\": " + std::to_string(merges_[i].right) +
                ", \"count\": " + std::to_string(merges_[i].count) + "}";
    }
    write_text_file(path, text + "\n]}\n");
}

const std::string& BytePairTokenizer::bytes_of(int id) const {
    if (id < 0 || id >= size()) {
        throw Error("there is no token with id " + std::to_string(id) + "; the vocabulary has " +
                    std::to_string(size()));
    }
    return token_bytes_[id];
}

std::string BytePairTokenizer::token_text(int id) const { return shown_bytes(bytes_of(id)); }

std::vector<int> BytePairTokenizer::ids(std::string_view utf8) const {
    std::vector<int> found;
    for (const std::string_view word : split_gpt2(utf8)) {
        const std::vector<int> tokens = table_.apply(byte_tokens(word));
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

std::vector<EncodingStep> BytePairTokenizer::encoding_steps(std::string_view word) const {
    if (word.size() > max_token_bytes) {
        throw Error("a word of " + std::to_string(word.size()) +
                    " bytes is too long to be shown step by step; at most " + std::to_string(max_token_bytes) +
                    " are possible");
    }
    return table_.steps(byte_tokens(word));
}

}  // namespace glassformer
