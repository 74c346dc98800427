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

/// Tokens that stand for their text wherever it is, before anything else is cut.
class AddedTokens {
public:
    struct Token {
        std::string text;
        int id = 0;
        bool special = false, normalized = false, single_word = false, takes_left = false, takes_right = false;
    };

    /// From a tokenizer.json's "added_tokens"; texts of normalized ones are compared with normalized text. Throws Error
    /// naming what is wrong.
    AddedTokens(const TokenizerSpec& spec, const Normalizer& normalizer);

    const std::vector<Token>& all() const { return tokens_; }

    /// A stretch of the text; `token` is −1 where it is none.
    struct Part {
        AlignedText text;
        int token = -1;
    };
    /// The text, normalized, with the added tokens in it.
    std::vector<Part> find(std::string_view typed, const Normalizer& normalizer) const;

private:
    struct Searched {
        std::string text;
        std::size_t token;  // in tokens_
    };
    std::vector<Part> split(const AlignedText& text, const std::vector<std::vector<Searched>>& by_first) const;

    std::vector<Token> tokens_;
    std::vector<std::vector<Searched>> plain_, normalized_;  // by first byte, the longest first
};

/// A tokenizer as it is published with a model: Hugging Face's tokenizer.json, or the older files that say the same.
/// Text is normalized, cut into pieces, and each piece becomes tokens of the vocabulary; then special tokens are added.
class HfTokenizer final : public Tokenizer {
public:
    /// Reads the folder (see read_tokenizer_spec). Throws Error naming the file and what is wrong in it: a stage that
    /// is not known, an expression that is broken, ids out of range, merges of what is no token …
    static HfTokenizer load(const std::filesystem::path& folder);
    /// From what a tokenizer.json would say; `where` starts messages, `mask_token` is the text of the mask where that
    /// is told.
    static HfTokenizer from_spec(nlohmann::json spec, const std::string& where, const std::string& mask_token);

    std::string_view kind() const override { return "tokenizer_json"; }
    int size() const override { return static_cast<int>(pieces_.size()); }
    std::string token_text(int id) const override;
    std::vector<int> ids(std::string_view utf8) const override;
    std::string decode(std::span<const int> ids) const override;
    /// tokenizer.json as it was read, and special_tokens_map.json where only another file told which token is the mask.
    void save_in(const std::filesystem::path& folder) const override;

    /// The tokens with the bytes of the text that each stands for; empty for an empty text. Throws Error when the text
    /// is not UTF-8.
    std::vector<TokenOfText> encode(std::string_view utf8) const;
    /// Special tokens that the text has beside those that the tokenizer adds ("<s> a" where it adds "<s>"), as pieces.
    std::vector<std::string> doubled(std::string_view utf8) const;
    /// The stages that a text goes through.
    struct Stages {
        std::string normalized;
        struct Piece {
            AlignedText text;    ///< as the model of the tokenizer reads it
            bool added = false;  ///< an added token that is in the text: not cut further
            std::vector<TokenOfText> tokens;
        };
        std::vector<Piece> pieces;
        std::vector<TokenOfText> tokens;  ///< of all pieces, and special ones that are added
    };
    /// Throws Error as encode() does, which gives the last of them.
    Stages stages(std::string_view utf8) const;
    /// How a piece of stages() became its tokens.
    PieceSteps steps(std::string_view piece) const { return model_->steps(piece); }
    /// A piece as the screen shows it: letters that stand for bytes as those bytes.
    std::string shown_piece(std::string_view piece) const;
    /// A token as the file writes it: "Ġthe", "##ing", "▁a". Throws Error when there is no such id.
    const std::string& piece(int id) const;
    /// The token that stands for a hidden word: the "mask_token" of tokenizer_config.json or special_tokens_map.json,
    /// else the added token "[MASK]" or "<mask>"; none where there is no such token.
    std::optional<int> mask_id() const { return mask_; }
    /// The special tokens that stand between two sentences, as they can be typed: "[SEP]", "</s></s>"; empty where the
    /// files tell of no pairs.
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
    std::shared_ptr<std::vector<std::string>> texts_;  // what pieces_ shows, shared with the post-processor
    std::span<const std::string> pieces_;
    std::vector<bool> special_;
    PostProcessor post_processor_;
    bool byte_letters_ = false;
    std::optional<int> mask_;
};

/// A tokenizer as GGUF's metadata tell it ("tokenizer.ggml.…"): its tokens in the order of their ids, and what kind of
/// model makes them.
struct ListedTokens {
    /// What a token is; the numbers are the file's.
    enum Kind { normal = 1, unknown = 2, control = 3, user_defined = 4, unused = 5, byte = 6 };

    std::string model;  // "gpt2": byte-level pairs; "llama": SentencePiece's pairs; "bert": WordPiece
    std::string pre;    // how a text is cut into words before pairs are merged: "gpt-2", "llama-bpe", "qwen2" …
    std::vector<std::string> tokens;
    std::vector<int> kinds;               // as many, or none
    std::vector<float> scores;            // llama: as many
    std::vector<std::string> merges;      // gpt2: "a b"
    int begin = -1, end = -1, mask = -1;  // ids; −1: none
    bool adds_begin = false, adds_end = false, adds_space = true;
};

/// The same as a tokenizer.json would tell it. Throws Error starting with `where` for what is not known or wrong.
nlohmann::json tokenizer_spec(const ListedTokens& listed, const std::string& where);

/// The tokenizer. Throws Error as that does, and as HfTokenizer::from_spec().
std::shared_ptr<const HfTokenizer> make_tokenizer(const ListedTokens& listed, const std::string& where);

}  // namespace glassformer
