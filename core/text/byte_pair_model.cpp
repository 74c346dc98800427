// Byte-pair encoding of published tokenizers (Sennrich et al. 2016): merges the characters of a piece by rank.
#include "core/text/merge_table.h"
#include "core/text/shown_bytes.h"
#include "core/text/token_models.h"

namespace glassformer {

namespace {

using nlohmann::json;

class BytePairModel final : public TokenModel {
public:
    explicit BytePairModel(const TokenizerSpec& spec)
        : prefix_(spec.text_or("continuing_subword_prefix", "")),
          suffix_(spec.text_or("end_of_word_suffix", "")),
          whole_first_(spec.flag("ignore_merges", false)),
          fuse_unknown_(spec.flag("fuse_unk", false)) {
        pieces_.add(spec, spec["vocab"]);
        if (spec["dropout"].is_number() && spec["dropout"] != 0.0)
            spec.fail("{1} sets \"dropout\": it would cut the same text in another way each time");
        if (!spec["unk_token"].is_null()) {
            unknown_ = pieces_.find(spec.text("unk_token"));
            if (unknown_ < 0) spec.fail("{1} names an \"unk_token\" that is not a token");
        }
        if (spec.flag("byte_fallback", false)) bytes_ = pieces_.byte_tokens();
        add_merges(spec);
    }

    std::vector<TokenOfPiece> tokens(std::string_view piece) const override {
        if (whole_first_)
            if (const int id = pieces_.find(piece); id >= 0) return {{id, {0, piece.size()}}};
        const std::vector<TokenOfPiece> symbols = symbols_of(piece);
        std::vector<int> ids;
        for (const TokenOfPiece& symbol : symbols) ids.push_back(symbol.id);
        std::vector<std::size_t> begins;
        const std::vector<int> merged = table_.apply(std::move(ids), begins);
        std::vector<TokenOfPiece> out;
        for (std::size_t i = 0; i < merged.size(); ++i) {
            const std::size_t last = (i + 1 < merged.size() ? begins[i + 1] : symbols.size()) - 1;
            out.push_back({merged[i], {symbols[begins[i]].range.begin, symbols[last].range.end}});
        }
        return out;
    }

    PieceSteps steps(std::string_view piece) const override {
        PieceSteps steps;
        if (piece.size() > most_bytes_shown || (whole_first_ && pieces_.find(piece) >= 0)) return steps;
        steps.way = PieceSteps::Way::merges;
        for (const TokenOfPiece& symbol : symbols_of(piece)) steps.symbols.push_back(symbol.id);
        steps.merges = table_.steps(steps.symbols);
        return steps;
    }

private:
    void add_merges(const TokenizerSpec& spec) {
        const json& list = spec["merges"];
        if (!list.is_array()) spec.fail("{1} has no \"merges\" that are a list");
        std::size_t count = 0;
        for (const json& merge : list) {
            const auto fail = [&](const char* pattern, const auto&... places) {
                spec.fail(pattern, count, in_quotes(merge.is_string() ? merge.get<std::string>() : merge.dump()),
                          places...);
            };
            std::string left, right;
            if (merge.is_array() && merge.size() == 2 && merge[0].is_string() && merge[1].is_string()) {
                left = merge[0], right = merge[1];
            } else if (merge.is_string()) {
                const auto& both = merge.get_ref<const std::string&>();
                const std::size_t blank = both.find(' ');
                if (blank == std::string::npos || both.find(' ', blank + 1) != std::string::npos)
                    fail("{1} has merge {2}, {3}, which is not two tokens with a space between them");
                left = both.substr(0, blank), right = both.substr(blank + 1);
            } else {
                fail("{1} has merge {2}, {3}, which is neither \"a b\" nor [\"a\", \"b\"]");
            }
            const std::string joined = left + (right.starts_with(prefix_) ? right.substr(prefix_.size()) : right);
            const int a = pieces_.find(left), b = pieces_.find(right), token = pieces_.find(joined);
            if (a < 0 || b < 0) fail("{1} has merge {2}, {3}, which merges something that is not a token");
            if (token < 0) fail("{1} has merge {2}, {3}, which makes {4}, which is not a token", in_quotes(joined));
            if (!table_.add(a, b, token)) fail("{1} has merge {2}, {3}, which appears twice");
            ++count;
        }
    }

    std::vector<TokenOfPiece> symbols_of(std::string_view piece) const {
        std::vector<TokenOfPiece> symbols;
        for (std::size_t at = 0; at < piece.size();) {
            const ByteRange range{at, at + character_length(piece, at)};
            at = range.end;
            std::string name(piece.substr(range.begin, range.end - range.begin));
            if (range.begin > 0) name = prefix_ + name;
            if (range.end == piece.size()) name += suffix_;
            if (const int id = pieces_.find(name); id >= 0)
                symbols.push_back({id, range});
            else if (!bytes_.empty())
                add_bytes(piece, range, symbols);
            else if (unknown_ >= 0 && fuse_unknown_ && !symbols.empty() && symbols.back().id == unknown_)
                symbols.back().range.end = range.end;
            else if (unknown_ >= 0)
                symbols.push_back({unknown_, range});
        }
        return symbols;
    }

    std::string prefix_, suffix_;
    bool whole_first_, fuse_unknown_;
    MergeTable table_;
};

}  // namespace

std::unique_ptr<const TokenModel> make_byte_pair_model(const TokenizerSpec& spec) {
    return std::make_unique<BytePairModel>(spec);
}

}  // namespace glassformer
