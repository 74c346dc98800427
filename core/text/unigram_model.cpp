// A unigram language model over pieces (Kudo 2018): of all ways to cut a piece of text, it chooses the one with the
// highest sum of scores.
#include <algorithm>
#include <cmath>
#include <limits>

#include "core/base/error.h"
#include "core/text/shown_bytes.h"
#include "core/text/token_models.h"

namespace glassformer {

namespace {

using nlohmann::json;

/// How far an unknown character scores below the least likely piece.
constexpr double unknown_penalty = 10.0;

class UnigramModel final : public TokenModel {
public:
    explicit UnigramModel(const TokenizerSpec& spec) {
        const json& list = spec["vocab"];
        if (!list.is_array() || list.empty()) spec.fail("{1} has no \"vocab\" that is a list of pieces and scores");
        double least = std::numeric_limits<double>::infinity();
        for (std::size_t id = 0; id < list.size(); ++id) {
            const json& entry = list[id];
            if (!entry.is_array() || entry.size() != 2 || !entry[0].is_string() || !entry[1].is_number() ||
                !std::isfinite(entry[1].get<double>()))
                spec.fail("{1} has entry {2}, {3}, which is not [\"piece\", score]", id, in_quotes(entry.dump()));
            pieces_.add(entry[0].get<std::string>(), static_cast<int>(id));
            scores_.push_back(entry[1].get<double>());
            longest_ = std::max(longest_, entry[0].get_ref<const std::string&>().size());
            least = std::min(least, scores_.back());
        }
        unknown_score_ = least - unknown_penalty;
        if (!spec["unk_id"].is_null()) {
            unknown_ = spec.number("unk_id");
            if (unknown_ >= static_cast<int>(scores_.size())) spec.fail("{1} has an \"unk_id\" that is not a token");
        }
        if (spec.flag("byte_fallback", false)) bytes_ = pieces_.byte_tokens();
    }

    std::vector<TokenOfPiece> tokens(std::string_view piece) const override {
        std::vector<TokenOfPiece> best = best_path(piece), out;
        for (std::size_t i = 0; i < best.size(); ++i) {
            TokenOfPiece token = best[i];
            // Adjacent unknown characters are merged.
            while (token.id == unknown_ && i + 1 < best.size() && best[i + 1].id == unknown_)
                token.range.end = best[++i].range.end;
            if (token.id != unknown_) {
                out.push_back(token);
                continue;
            }
            const int whole = pieces_.find(piece.substr(token.range.begin, token.range.end - token.range.begin));
            if (whole >= 0)
                out.push_back({whole, token.range});
            else if (!bytes_.empty())
                add_bytes(piece, token.range, out);
            else
                out.push_back(token);
        }
        return out;
    }

    PieceSteps steps(std::string_view piece) const override {
        PieceSteps steps;
        if (piece.size() > most_bytes_shown) return steps;
        steps.way = PieceSteps::Way::best_path;
        const std::vector<TokenOfPiece> path = best_path(piece, &steps.scored);
        for (PieceSteps::Scored& one : steps.scored)
            one.taken = std::ranges::any_of(
                path, [&](const TokenOfPiece& p) { return p.id == one.id && p.range == one.range; });
        return steps;
    }

private:
    struct End {
        double score = 0.0;
        std::size_t begin = 0;
        int id = -1;
        bool reached = false;
    };

    // Finds the best path to each offset in the piece; `offered` gets every token on any path.
    std::vector<TokenOfPiece> best_path(std::string_view piece,
                                        std::vector<PieceSteps::Scored>* offered = nullptr) const {
        std::vector<End> ends(piece.size() + 1);
        for (std::size_t at = 0; at < piece.size();) {
            const std::size_t one = character_length(piece, at);
            const double here = ends[at].score;
            const auto offer = [&](std::size_t to, int id, double score) {
                if (offered) offered->push_back({{at, to}, id, score});
                if (!ends[to].reached || here + score > ends[to].score) ends[to] = {here + score, at, id, true};
            };
            bool single = false;
            for (std::size_t length = one; length <= longest_ && at + length <= piece.size();) {
                if (const int id = pieces_.find(piece.substr(at, length)); id >= 0) {
                    offer(at + length, id, scores_[id]);
                    single = single || length == one;
                }
                if (at + length == piece.size()) break;
                length += character_length(piece, at + length);
            }
            if (!single) {
                if (unknown_ < 0) throw Error("the tokenizer has no token for {1}", in_quotes(piece.substr(at, one)));
                offer(at + one, unknown_, unknown_score_);
            }
            at += one;
        }
        std::vector<TokenOfPiece> path;
        for (std::size_t end = piece.size(); end > 0; end = ends[end].begin)
            path.push_back({ends[end].id, {ends[end].begin, end}});
        std::ranges::reverse(path);
        return path;
    }

    std::vector<double> scores_;
    double unknown_score_ = 0.0;
    std::size_t longest_ = 0;
};

}  // namespace

std::unique_ptr<const TokenModel> make_unigram_model(const TokenizerSpec& spec) {
    return std::make_unique<UnigramModel>(spec);
}

}  // namespace glassformer
