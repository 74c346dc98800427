#pragma once

#include <filesystem>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "core/text/byte_pairs.h"
#include "core/text/merge_table.h"
#include "core/text/tokenizer.h"

namespace glassformer {

/// Turns text into tokens by the merges that a BytePairTraining has learned, and back. Ids 0 … 255 are the bytes, so no
/// text is unknown; the merges' tokens follow in their order.
class BytePairTokenizer final : public Tokenizer {
public:
    /// Throws Error naming the merge when its token is not 256 + its place, one of its parts is no older token, its
    /// token is longer than max_token_bytes or the same bytes as another's, or its count is negative.
    explicit BytePairTokenizer(std::vector<BytePairMerge> merges);

    /// Reads byte_pairs.json: {"merges": [{"left": 116, "right": 104, "count": 523}, …]}. Errors name the file.
    static BytePairTokenizer load(const std::filesystem::path& path);
    void save(const std::filesystem::path& path) const;

    std::string_view kind() const override { return "byte_pairs"; }
    int size() const override { return static_cast<int>(token_bytes_.size()); }
    std::string token_text(int id) const override;
    std::vector<int> ids(std::string_view utf8) const override;
    /// Exact for the ids of any text. Tokens that end in the middle of a character leave ⟨C3⟩ or the like for each of
    /// its bytes.
    std::string decode(std::span<const int> ids) const override;
    void save_in(const std::filesystem::path& folder) const override { save(folder / "byte_pairs.json"); }

    const std::vector<BytePairMerge>& merges() const { return merges_; }

    /// How one word, as split_gpt2 cuts it, becomes tokens: it begins as its bytes, each step applies one merge at one
    /// place. Throws Error when it is longer than max_token_bytes.
    std::vector<EncodingStep> encoding_steps(std::string_view word) const;

private:
    const std::string& bytes_of(int id) const;

    std::vector<BytePairMerge> merges_;
    std::vector<std::string> token_bytes_;
    MergeTable table_;
};

}  // namespace glassformer
