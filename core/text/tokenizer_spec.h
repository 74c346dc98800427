#pragma once

#include <filesystem>
#include <nlohmann/json.hpp>
#include <string>
#include <string_view>

#include "core/base/error.h"

namespace glassformer {

/// One stage of a tokenizer.json, with what a message about it needs.
class TokenizerSpec {
public:
    TokenizerSpec(const nlohmann::json& object, std::string where) : object_(object), where_(std::move(where)) {}

    const nlohmann::json& value() const { return object_; }
    /// "…/tokenizer.json: pre_tokenizer".
    const std::string& where() const { return where_; }
    /// Throws Error(pattern, where(), places…): {1} is where the stage is.
    template <typename... Places>
    [[noreturn]] void fail(std::string_view pattern, const Places&... places) const {
        throw Error(pattern, where_, places...);
    }

    /// The field, or null where it is missing.
    const nlohmann::json& operator[](const char* name) const;
    /// The stage's "type".
    std::string type() const { return text("type"); }
    std::string text(const char* name) const;
    std::string text_or(const char* name, const std::string& otherwise) const;
    bool flag(const char* name, bool otherwise) const;
    /// A whole number of at least 0.
    int number(const char* name) const;
    TokenizerSpec inner(const char* name) const {
        return {(*this)[name], where_ + (where_.ends_with(':') ? " " : ".") + name};
    }

private:
    const nlohmann::json& object_;
    std::string where_;
};

/// What tokenizer.json says, or the same made of the older files: vocab.txt (WordPiece; BERT), or vocab.json and
/// merges.txt (byte-level pairs; GPT-2, RoBERTa, Qwen 2), with tokenizer_config.json where it is there. Null where the
/// folder has none of them. Throws Error naming the file and what is wrong in it.
nlohmann::json read_tokenizer_spec(const std::filesystem::path& folder);

/// The "mask_token" that tokenizer_config.json or special_tokens_map.json names; "" where neither does.
std::string mask_token_in(const std::filesystem::path& folder);

/// A tokenizer.json of WordPiece as BERT has it; `normalizer` has what the BertNormalizer does, `words` are ids by texts.
nlohmann::json bert_spec(nlohmann::json normalizer, nlohmann::json added_tokens, nlohmann::json words);
/// The pre-tokenizer that cuts a text by an expression, and writes the bytes of the pieces as letters.
nlohmann::json cut_by(const char* expression);

/// How Qwen 2 cuts a text into words (tokenization_qwen2.py of huggingface/transformers).
inline constexpr const char* qwen2_words =
    R"((?i:'s|'t|'re|'ve|'m|'ll|'d)|[^\r\n\p{L}\p{N}]?\p{L}+|\p{N}| ?[^\s\p{L}\p{N}]+[\r\n]*|\s*[\r\n]+|\s+(?!\S)|\s+)";

/// The file of Hugging Face that tells which token stands for what.
inline constexpr const char* special_tokens_file = "special_tokens_map.json";

/// Whether vocab.txt is one of WordPiece, and not of whole words.
bool is_word_piece_vocabulary(const std::filesystem::path& file);

}  // namespace glassformer
