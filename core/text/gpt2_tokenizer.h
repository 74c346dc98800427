#pragma once

#include <array>
#include <filesystem>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "core/text/gpt2_vocabulary.h"
#include "core/text/merge_table.h"
#include "core/text/tokenizer.h"

namespace glassformer {

/// GPT-2's byte-level byte-pair encoding (Radford et al. 2019): special tokens stand for themselves wherever they are
/// in the text; what lies between is cut by split_gpt2, and in each piece bytes are merged by rank. No text is unknown.
class Gpt2Tokenizer final : public Tokenizer {
public:
    /// From tokenizer.json, or vocab.json and merges.txt; errors as read_gpt2_vocabulary.
    static Gpt2Tokenizer load(const std::filesystem::path& folder);

    std::string_view kind() const override { return "gpt2"; }
    int size() const override { return static_cast<int>(vocabulary_.tokens.size()); }
    std::string token_text(int id) const override;
    std::vector<int> ids(std::string_view utf8) const override;
    /// Exact for the ids of any text. Tokens that end in the middle of a character leave ⟨C3⟩ or the like for each of
    /// its bytes.
    std::string decode(std::span<const int> ids) const override;
    /// vocab.json and merges.txt; see write_gpt2_vocabulary.
    void save_in(const std::filesystem::path& folder) const override { write_gpt2_vocabulary(vocabulary_, folder); }

    /// A stretch of a text that becomes tokens by itself.
    struct Word {
        std::string_view text;
        std::optional<int> special = {};  ///< the special token that it is
    };
    /// The words of a text, as ids() cuts it. Throws Error when the text is not UTF-8.
    std::vector<Word> words(std::string_view utf8) const;

    /// The id of "<|endoftext|>", where the files define it.
    std::optional<int> end_of_text_id() const;

    /// The tokens of a word's bytes, which the merges begin with.
    std::vector<int> byte_tokens(std::string_view word) const;
    /// How one word, as split_gpt2 cuts it, becomes tokens: it begins as the tokens of its bytes, each step applies one
    /// merge at one place. Throws Error when it is longer than 1,024 bytes.
    std::vector<EncodingStep> encoding_steps(std::string_view word) const;

private:
    explicit Gpt2Tokenizer(Gpt2Vocabulary vocabulary);

    const Gpt2Vocabulary::Token& token(int id) const;
    /// The special token that the text begins with.
    std::optional<int> special_at(std::string_view text) const;

    Gpt2Vocabulary vocabulary_;
    MergeTable table_;
    std::array<int, 256> byte_ids_{};
    std::array<std::vector<int>, 256> specials_;  // by first byte, the longest first
};

}  // namespace glassformer
