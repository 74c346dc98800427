#include "core/text/gpt2_vocabulary_builder.h"

#include <algorithm>
#include <limits>

#include "core/base/error.h"
#include "core/text/byte_letters.h"
#include "core/text/merge_table.h"
#include "core/text/shown_bytes.h"

namespace glassformer {
namespace {

constexpr std::size_t max_tokens = 1u << 18, max_merges = 1u << 18, max_specials = 1024, max_special_bytes = 256;

[[noreturn]] void refuse(const std::filesystem::path& file, const std::string& problem) {
    throw Error(file.string() + ": " + problem);
}

/// An id as the index of its token.
std::size_t index_of(const nlohmann::json& id, const std::string& name, const std::filesystem::path& file) {
    if (!id.is_number_integer()) refuse(file, "the id of " + name + " is not a whole number: " + in_quotes(id.dump()));
    if (!id.is_number_unsigned() || id.get<std::uint64_t>() >= max_tokens) {
        refuse(file, "the id of " + name + " is " + id.dump() + "; ids from 0 to " + std::to_string(max_tokens - 1) +
                         " are possible");
    }
    return id.get<std::size_t>();
}

}  // namespace

void Gpt2VocabularyBuilder::put(const std::string& text, const nlohmann::json& id, bool special,
                                const std::filesystem::path& file) {
    const std::string name = "the token " + in_quotes(text);
    if (text.empty()) refuse(file, "a token is empty");
    const std::optional<std::string> bytes = special ? text : letter_bytes(text);
    if (!bytes) refuse(file, name + " has a character that stands for no byte in GPT-2's letters");
    const std::size_t index = index_of(id, name, file);
    std::vector<Gpt2Vocabulary::Token>& tokens = vocabulary_.tokens;
    if (index >= tokens.size()) tokens.resize(index + 1);
    if (!tokens[index].bytes.empty()) {
        const std::string& other = tokens[index].bytes;
        refuse(file, name + " has the id " + std::to_string(index) + ", which " +
                         in_quotes(tokens[index].special ? other : byte_letters(other)) + " has already");
    }
    if (!(special ? specials_ : ids_).emplace(*bytes, static_cast<int>(index)).second)
        refuse(file, name + " appears twice");
    tokens[index] = {*bytes, special};
}

void Gpt2VocabularyBuilder::add_special(const std::string& text, const nlohmann::json& id,
                                        const std::filesystem::path& file) {
    if (specials_.size() == max_specials) {
        refuse(file, "has more than " + std::to_string(max_specials) + " special tokens");
    }
    if (text.size() > max_special_bytes) {
        refuse(file, "the special token " + in_quotes(text) + " is longer than " + std::to_string(max_special_bytes) +
                         " bytes");
    }
    put(text, id, true, file);
}

void Gpt2VocabularyBuilder::add_vocabulary(const nlohmann::json& object, const std::filesystem::path& file) {
    if (!object.is_object()) refuse(file, "the vocabulary is not an object from tokens to ids");
    if (object.size() > max_tokens) {
        refuse(file, "has " + std::to_string(object.size()) + " tokens; at most " + std::to_string(max_tokens) +
                         " are possible");
    }
    for (const auto& [text, id] : object.items()) {
        const auto special = specials_.find(text);
        if (special == specials_.end()) {
            put(text, id, text == end_of_text, file);
        } else if (index_of(id, "the token " + in_quotes(text), file) != static_cast<std::size_t>(special->second)) {
            refuse(file, "the token " + in_quotes(text) + " has the id " + id.dump() + " in the vocabulary, but " +
                             std::to_string(special->second) + " as an added token");
        }
    }
    check_complete(file);
}

void Gpt2VocabularyBuilder::check_complete(const std::filesystem::path& file) const {
    const auto gap = std::ranges::find_if(vocabulary_.tokens, [](const auto& token) { return token.bytes.empty(); });
    if (gap != vocabulary_.tokens.end()) {
        refuse(file, "no token has the id " + std::to_string(gap - vocabulary_.tokens.begin()) + ", but one has " +
                         std::to_string(vocabulary_.tokens.size() - 1) + "; ids must have no gap");
    }
    for (int byte = 0; byte < 256; ++byte) {
        const std::string one(1, static_cast<char>(byte));
        if (ids_.contains(one)) continue;
        refuse(file, "has no token for the byte " + std::to_string(byte) + " (" + in_quotes(byte_letters(one)) +
                         " in GPT-2's letters)");
    }
}

void Gpt2VocabularyBuilder::add_merge(std::string_view left, std::string_view right, const std::filesystem::path& file,
                                      const std::string& where) {
    if (vocabulary_.merges.size() == max_merges)
        refuse(file, "has more than " + std::to_string(max_merges) + " merges");
    const auto find = [&](std::string_view letters, const char* role) {
        const std::optional<std::string> bytes = letter_bytes(letters);
        const auto known = bytes ? ids_.find(*bytes) : ids_.end();
        if (known == ids_.end()) refuse(file, where + " " + role + " " + in_quotes(letters) + ", which is no token");
        return known->second;
    };
    const int first = find(left, "joins"), second = find(right, "joins");
    const int token = find(std::string(left) + std::string(right), "makes");
    const auto [earlier, is_new] = merged_pairs_.emplace(pair_key(first, second), where);
    if (!is_new) {
        refuse(file, where + " joins " + in_quotes(left) + " and " + in_quotes(right) + ", as " + earlier->second +
                         " does already");
    }
    vocabulary_.merges.push_back({first, second, token});
}

void Gpt2VocabularyBuilder::add_merge(std::string_view both, const std::filesystem::path& file,
                                      const std::string& where) {
    const std::size_t blank = both.find(' ');
    const bool two = blank != std::string_view::npos && both.find(' ', blank + 1) == std::string_view::npos;
    if (!two || blank == 0 || blank + 1 == both.size()) {
        refuse(file, where + " is " + in_quotes(both) + "; two tokens with one blank between them are needed");
    }
    add_merge(both.substr(0, blank), both.substr(blank + 1), file, where);
}

}  // namespace glassformer
