#pragma once

#include <filesystem>
#include <memory>
#include <nlohmann/json_fwd.hpp>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "core/text/aligned_text.h"
#include "core/text/pipeline.h"
#include "core/text/token_models.h"
#include "core/text/tokenizer.h"
#include "core/text/tokenizer_spec.h"

namespace glassformer {

/// Tokens that are matched in the text before anything else is cut.
class AddedTokens {
public:
    struct Token {
        std::string text;
        int id = 0;
        bool special = false, normalized = false, single_word = false, takes_left = false, takes_right = false;
    };

    /// From a tokenizer.json's "added_tokens"; normalized ones are matched against normalized text. Throws Error naming
    /// what is wrong.
    AddedTokens(const TokenizerSpec& spec, const Normalizer& normalizer);

    const std::vector<Token>& all() const { return tokens_; }

    /// A part of the text; `token` is the id of the added token, or −1 for ordinary text.
    struct Part {
        AlignedText text;
        int token = -1;
    };
    /// Splits the text, normalized, at its added tokens.
    std::vector<Part> find(const AlignedText& typed, const Normalizer& normalizer) const;

private:
    struct Searched {
        std::string text;
        std::size_t token;  // in tokens_
    };
    std::vector<Part> split(const AlignedText& text, const std::vector<std::vector<Searched>>& by_first) const;

    std::vector<Token> tokens_;
    std::vector<std::vector<Searched>> plain_, normalized_;  // by first byte, longest first
};

/// A tokenizer published with a model: Hugging Face's tokenizer.json, or the older files with the same content. It
/// normalizes the text, cuts it into pieces, turns each piece into tokens, and then adds special tokens.
class HfTokenizer final : public Tokenizer {
public:
    /// Reads the folder (see read_tokenizer_spec). Throws Error naming the file and what is wrong in it: an unknown
    /// stage, an invalid expression, ids out of range, merges of something that is not a token …
    static HfTokenizer load(const std::filesystem::path& folder);
    /// From the content of a tokenizer.json. `where` is the prefix of error messages; `mask_token` is the text of the
    /// mask token if it is known.
    static HfTokenizer from_spec(nlohmann::json spec, const std::string& where, const std::string& mask_token);

    std::string_view kind() const override { return "tokenizer_json"; }
    int size() const override { return static_cast<int>(pieces_.size()); }
    std::string token_text(int id) const override;
    std::vector<int> ids(std::string_view utf8) const override;
    std::string decode(std::span<const int> ids) const override;
    /// Writes tokenizer.json as it was read, plus special_tokens_map.json if only another file named the mask token.
    void save_in(const std::filesystem::path& folder) const override;

    /// The tokens, each with the bytes of the text that it stands for; empty for an empty text. ⟨E4⟩ is read as this
    /// byte, as decode() writes one, if the tokenizer can. Throws Error if the text is not UTF-8.
    std::vector<TokenOfText> encode(std::string_view utf8) const;
    /// Special tokens in the text that the tokenizer adds anyway ("<s> a" where it adds "<s>"), as pieces.
    std::vector<std::string> doubled(std::string_view utf8) const;
    /// The stages of tokenizing a text.
    struct Stages {
        std::string normalized;
        struct Piece {
            AlignedText text;    ///< as the tokenizer's model reads it
            bool added = false;  ///< an added token found in the text: not cut further
            std::vector<TokenOfText> tokens;
        };
        std::vector<Piece> pieces;
        std::vector<TokenOfText> tokens;  ///< of all pieces, plus the special tokens that are added
    };
    /// Throws Error like encode(), which returns the tokens of the last stage.
    Stages stages(std::string_view utf8) const;
    /// How a piece of stages() became its tokens.
    PieceSteps steps(std::string_view piece) const { return model_->steps(piece); }
    /// A piece for display: letters that stand for bytes become those bytes.
    std::string shown_piece(std::string_view piece) const;
    /// A token as written in the file: "Ġthe", "##ing", "▁a". Throws Error if there is no such id.
    const std::string& piece(int id) const;
    /// The mask token: the "mask_token" of tokenizer_config.json or special_tokens_map.json, else the added token
    /// "[MASK]" or "<mask>"; none if there is none.
    std::optional<int> mask_id() const { return mask_; }
    /// The token for what no other token stands for; none if there is none.
    std::optional<int> unknown_id() const;
    /// The special tokens between two sentences, as text: "[SEP]", "</s></s>"; empty if the files define no pairs.
    std::string between_sentences() const;

private:
    HfTokenizer(nlohmann::json spec, const std::string& where);
    void find_mask(const std::string& told);

    std::shared_ptr<const nlohmann::json> spec_;
    std::shared_ptr<const TokenModel> model_;
    Normalizer normalizer_;
    AddedTokens added_;
    PreTokenizer pre_tokenizer_;
    Decoder decoder_;
    std::shared_ptr<std::vector<std::string>> texts_;  // the strings behind pieces_, shared with the post-processor
    std::span<const std::string> pieces_;
    std::vector<bool> special_;
    PostProcessor post_processor_;
    bool byte_letters_ = false;
    std::optional<int> mask_;
};

/// A tokenizer as described by GGUF metadata ("tokenizer.ggml.…"): its tokens in id order, and the kind of model that
/// produces them.
struct ListedTokens {
    /// The kind of a token; the numbers are those of the file.
    enum Kind { normal = 1, unknown = 2, control = 3, user_defined = 4, unused = 5, byte = 6 };

    std::string model;  // "gpt2": byte-level BPE; "llama": SentencePiece BPE; "bert": WordPiece
    std::string pre;    // how text is cut into words before pairs are merged: "gpt-2", "llama-bpe", "qwen2" …
    std::vector<std::string> tokens;
    std::vector<int> kinds;               // one per token, or empty
    std::vector<float> scores;            // llama: one per token
    std::vector<std::string> merges;      // gpt2: "a b"
    int begin = -1, end = -1, mask = -1;  // ids; −1: none
    bool adds_begin = false, adds_end = false, adds_space = true;
};

/// Converts it to the form of a tokenizer.json. Throws Error starting with `where` for anything unknown or wrong.
nlohmann::json tokenizer_spec(const ListedTokens& listed, const std::string& where);

/// The tokenizer. Throws Error like tokenizer_spec() and HfTokenizer::from_spec().
std::shared_ptr<const HfTokenizer> make_tokenizer(const ListedTokens& listed, const std::string& where);

}  // namespace glassformer
