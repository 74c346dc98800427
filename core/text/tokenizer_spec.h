#pragma once

#include <filesystem>
#include <nlohmann/json.hpp>
#include <string>
#include <string_view>

#include "core/base/error.h"

namespace glassformer {

/// One stage of a tokenizer.json, with its location for error messages.
class TokenizerSpec {
public:
    TokenizerSpec(const nlohmann::json& object, std::string where) : object_(object), where_(std::move(where)) {}

    const nlohmann::json& value() const { return object_; }
    /// "…/tokenizer.json: pre_tokenizer".
    const std::string& where() const { return where_; }
    /// Throws Error(pattern, where(), places…): {1} is the location of the stage.
    template <typename... Places>
    [[noreturn]] void fail(std::string_view pattern, const Places&... places) const {
        throw Error(pattern, where_, places...);
    }

    /// The field, or null if it is missing.
    const nlohmann::json& operator[](const char* name) const;
    /// The stage's "type".
    std::string type() const { return text("type"); }
    std::string text(const char* name) const;
    std::string text_or(const char* name, const std::string& otherwise) const;
    bool flag(const char* name, bool otherwise) const;
    /// An integer of at least 0.
    int number(const char* name) const;
    TokenizerSpec inner(const char* name) const {
        return {(*this)[name], where_ + (where_.ends_with(':') ? " " : ".") + name};
    }

private:
    const nlohmann::json& object_;
    std::string where_;
};

/// The content of tokenizer.json, or the equivalent built from the older files: vocab.txt (WordPiece; BERT), or
/// vocab.json and merges.txt (byte-level BPE; GPT-2, RoBERTa, Qwen 2), with tokenizer_config.json if it exists. Null if
/// the folder has none of them. Throws Error naming the file and what is wrong in it.
nlohmann::json read_tokenizer_spec(const std::filesystem::path& folder);

/// The "mask_token" named by tokenizer_config.json or special_tokens_map.json; "" if neither names one.
std::string mask_token_in(const std::filesystem::path& folder);

/// The tokenizer.json of a WordPiece tokenizer like BERT's; `normalizer` has the settings of its BertNormalizer,
/// `words` maps texts to ids.
nlohmann::json bert_spec(nlohmann::json normalizer, nlohmann::json added_tokens, nlohmann::json words);
/// A pre-tokenizer that cuts text by a regular expression and writes the bytes of the pieces as letters.
nlohmann::json cut_by(const char* expression);

/// How Qwen 2 cuts text into words (tokenization_qwen2.py of huggingface/transformers).
inline constexpr const char* qwen2_words =
    R"((?i:'s|'t|'re|'ve|'m|'ll|'d)|[^\r\n\p{L}\p{N}]?\p{L}+|\p{N}| ?[^\s\p{L}\p{N}]+[\r\n]*|\s*[\r\n]+|\s+(?!\S)|\s+)";

/// Hugging Face's file that names the special tokens.
inline constexpr const char* special_tokens_file = "special_tokens_map.json";

/// True if vocab.txt is a WordPiece vocabulary rather than one of whole words.
bool is_word_piece_vocabulary(const std::filesystem::path& file);

}  // namespace glassformer
