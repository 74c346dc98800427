#pragma once

#include <memory>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "core/text/aligned_text.h"
#include "core/text/tokenizer_spec.h"
#include "core/text/tokenizer_stages.h"

namespace glassformer {

/// A token of a piece of text, and the bytes of the piece that it stands for.
struct TokenOfPiece {
    int id;
    ByteRange range;
};

/// The pieces of a vocabulary, by their text.
class PieceTable {
public:
    /// Throws Error naming what is wrong: not an object from texts to ids, an id out of range, too many pieces.
    void add(const TokenizerSpec& spec, const nlohmann::json& vocabulary);
    void add(const std::string& piece, int id) { ids_.emplace(piece, id); }
    /// The id, or −1 if there is none.
    int find(std::string_view piece) const;
    const std::unordered_map<std::string, int>& all() const { return ids_; }
    /// The ids of the tokens <0x00> … <0xFF>; empty unless all exist.
    std::vector<int> byte_tokens() const;

private:
    std::unordered_map<std::string, int> ids_;
};

/// Turns a piece of text into tokens. Immutable: shared between threads.
class TokenModel {
public:
    virtual ~TokenModel() = default;
    virtual std::vector<TokenOfPiece> tokens(std::string_view piece) const = 0;
    /// How it found them. Empty for a piece that is too long to display.
    virtual PieceSteps steps(std::string_view piece) const = 0;
    const PieceTable& pieces() const { return pieces_; }
    /// The token for what no other token stands for; −1 if there is none.
    int unknown() const { return unknown_; }

    /// True if it has a token for each byte of what has no token of its own.
    bool falls_back() const { return !bytes_.empty(); }

protected:
    /// Appends the tokens of the bytes of a range.
    void add_bytes(std::string_view piece, ByteRange range, std::vector<TokenOfPiece>& tokens) const;

    PieceTable pieces_;
    int unknown_ = -1;
    std::vector<int> bytes_;  // the token of each byte, or empty
};

/// The longest piece whose steps are displayed, in bytes.
inline constexpr std::size_t most_bytes_shown = 256;

/// The model of a tokenizer.json: BPE, WordPiece, Unigram or WordLevel. Throws Error naming anything unknown or wrong.
std::unique_ptr<const TokenModel> make_token_model(const TokenizerSpec& spec);

/// The individual kinds.
std::unique_ptr<const TokenModel> make_byte_pair_model(const TokenizerSpec& spec);
std::unique_ptr<const TokenModel> make_word_piece_model(const TokenizerSpec& spec);
std::unique_ptr<const TokenModel> make_unigram_model(const TokenizerSpec& spec);

}  // namespace glassformer
