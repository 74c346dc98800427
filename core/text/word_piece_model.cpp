// WordPiece (Schuster & Nakajima 2012, as applied in BERT): takes the longest known piece at the start of a word, then
// the longest at the start of the rest.
#include "core/text/token_models.h"

namespace glassformer {

namespace {

class WordPieceModel final : public TokenModel {
public:
    explicit WordPieceModel(const TokenizerSpec& spec)
        : prefix_(spec.text_or("continuing_subword_prefix", "##")),
          longest_(spec["max_input_chars_per_word"].is_null() ? 100 : spec.number("max_input_chars_per_word")) {
        pieces_.add(spec, spec["vocab"]);
        unknown_ = pieces_.find(spec.text_or("unk_token", "[UNK]"));
        if (unknown_ < 0) spec.fail("{1} names an \"unk_token\" that is not a token");
        for (const auto& [piece, id] : pieces_.all()) longest_piece_ = std::max(longest_piece_, piece.size());
    }

    std::vector<TokenOfPiece> tokens(std::string_view piece) const override { return search(piece, nullptr); }

    PieceSteps steps(std::string_view piece) const override {
        PieceSteps steps;
        if (piece.size() > most_bytes_shown) return steps;
        steps.way = PieceSteps::Way::longest_first;
        search(piece, &steps.tried);
        return steps;
    }

private:
    std::vector<TokenOfPiece> search(std::string_view piece, std::vector<PieceSteps::Tried>* tried) const {
        const std::vector<TokenOfPiece> unknown{{unknown_, {0, piece.size()}}};
        std::vector<std::size_t> ends;  // of the characters
        for_each_character(piece, [&](char32_t, ByteRange range) { ends.push_back(range.end); });
        if (ends.size() > static_cast<std::size_t>(longest_)) return unknown;
        std::vector<TokenOfPiece> out;
        std::size_t begin = 0, first = 0;  // in bytes; in characters
        while (begin < piece.size()) {
            std::size_t last = ends.size();
            int id = -1;
            for (; last > first; --last) {
                const std::size_t bytes = ends[last - 1] - begin;
                if (bytes > longest_piece_) continue;
                const std::string part = (begin > 0 ? prefix_ : "") + std::string(piece.substr(begin, bytes));
                id = pieces_.find(part);
                if (tried) tried->push_back({{begin, begin + bytes}, part, id});
                if (id >= 0) break;
            }
            if (id < 0) return unknown;
            out.push_back({id, {begin, ends[last - 1]}});
            begin = ends[last - 1];
            first = last;
        }
        return out;
    }

    std::string prefix_;
    int longest_;
    std::size_t longest_piece_ = 0;
};

}  // namespace

std::unique_ptr<const TokenModel> make_word_piece_model(const TokenizerSpec& spec) {
    return std::make_unique<WordPieceModel>(spec);
}

}  // namespace glassformer
