#include "core/text/gpt2_tokenizer.h"

#include <algorithm>
#include <utility>

#include "core/base/error.h"
#include "core/text/gpt2_split.h"
#include "core/text/shown_bytes.h"
#include "core/text/utf8.h"

namespace glassformer {

Gpt2Tokenizer Gpt2Tokenizer::load(const std::filesystem::path& folder) {
    return Gpt2Tokenizer(read_gpt2_vocabulary(folder));
}

Gpt2Tokenizer::Gpt2Tokenizer(Gpt2Vocabulary vocabulary) : vocabulary_(std::move(vocabulary)) {
    for (int id = 0; id < size(); ++id) {
        const auto& [bytes, special] = token(id);
        const auto first = static_cast<unsigned char>(bytes[0]);
        if (special)
            specials_[first].push_back(id);
        else if (bytes.size() == 1)
            byte_ids_[first] = id;
    }
    for (std::vector<int>& list : specials_) {
        std::ranges::stable_sort(list, std::ranges::greater(), [&](int id) { return token(id).bytes.size(); });
    }
    for (const Gpt2Vocabulary::Merge& merge : vocabulary_.merges) table_.add(merge.left, merge.right, merge.token);
}

const Gpt2Vocabulary::Token& Gpt2Tokenizer::token(int id) const {
    if (id < 0 || id >= size()) {
        throw Error("there is no token with id " + std::to_string(id) + "; the vocabulary has " +
                    std::to_string(size()));
    }
    return vocabulary_.tokens[id];
}

std::string Gpt2Tokenizer::token_text(int id) const { return shown_bytes(token(id).bytes); }

std::optional<int> Gpt2Tokenizer::special_at(std::string_view text) const {
    for (const int id : specials_[static_cast<unsigned char>(text[0])]) {
        if (text.starts_with(token(id).bytes)) return id;
    }
    return std::nullopt;
}

std::optional<int> Gpt2Tokenizer::end_of_text_id() const {
    const std::optional<int> id = special_at(end_of_text);
    return id && token(*id).bytes == end_of_text ? id : std::nullopt;
}

std::vector<int> Gpt2Tokenizer::byte_tokens(std::string_view word) const {
    std::vector<int> tokens;
    tokens.reserve(word.size());
    for (const char byte : word) tokens.push_back(byte_ids_[static_cast<unsigned char>(byte)]);
    return tokens;
}

std::vector<Gpt2Tokenizer::Word> Gpt2Tokenizer::words(std::string_view utf8) const {
    check_utf8(utf8);  // before it is cut, so that the offset is one in the whole text
    std::vector<Word> found;
    std::size_t begin = 0;
    const auto cut = [&](std::size_t end) {
        for (const std::string_view word : split_gpt2(utf8.substr(begin, end - begin))) found.push_back({word});
    };
    for (std::size_t i = 0; i < utf8.size();) {
        const std::optional<int> special = special_at(utf8.substr(i));
        if (!special) {
            ++i;
            continue;
        }
        cut(i);
        const std::size_t size = token(*special).bytes.size();
        found.push_back({utf8.substr(i, size), special});
        begin = i += size;
    }
    cut(utf8.size());
    return found;
}

std::vector<int> Gpt2Tokenizer::ids(std::string_view utf8) const {
    std::vector<int> found;
    for (const Word& word : words(utf8)) {
        if (word.special) {
            found.push_back(*word.special);
            continue;
        }
        const std::vector<int> tokens = table_.apply(byte_tokens(word.text));
        found.insert(found.end(), tokens.begin(), tokens.end());
    }
    if (found.empty()) throw Error("the text has no token");
    return found;
}

std::string Gpt2Tokenizer::decode(std::span<const int> ids) const {
    std::string bytes;
    for (const int id : ids) bytes += token(id).bytes;
    return as_utf8(bytes);
}

std::vector<EncodingStep> Gpt2Tokenizer::encoding_steps(std::string_view word) const {
    constexpr std::size_t longest = 1024;
    if (word.size() > longest) {
        throw Error("a word of " + std::to_string(word.size()) +
                    " bytes is too long to be shown step by step; at most " + std::to_string(longest) +
                    " are possible");
    }
    return table_.steps(byte_tokens(word));
}

}  // namespace glassformer
