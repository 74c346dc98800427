#include "core/text/token_models.h"

#include <array>
#include <cstdio>

#include "core/text/json_file.h"
#include "core/text/lone_bytes.h"
#include "core/text/shown_bytes.h"

namespace glassformer {

namespace {

constexpr std::size_t most_pieces = std::size_t{1} << 20;

/// One token per whole word.
class WordLevel final : public TokenModel {
public:
    explicit WordLevel(const TokenizerSpec& spec) {
        pieces_.add(spec, spec["vocab"]);
        unknown_ = pieces_.find(spec.text("unk_token"));
    }

    std::vector<TokenOfPiece> tokens(std::string_view piece) const override {
        const int found = pieces_.find(piece), id = found >= 0 ? found : unknown_;
        if (id < 0) return {};
        return {{id, {0, piece.size()}}};
    }

    PieceSteps steps(std::string_view /*piece*/) const override { return {}; }
};

}  // namespace

void PieceTable::add(const TokenizerSpec& spec, const nlohmann::json& vocabulary) {
    if (!vocabulary.is_object()) spec.fail("{1} has no \"vocab\" that is an object from tokens to ids");
    if (vocabulary.size() > most_pieces)
        spec.fail("{1} has {2} tokens; at most {3} are read", vocabulary.size(), most_pieces);
    ids_.reserve(vocabulary.size());
    std::unordered_map<int, std::string_view> by_id;
    for (const auto& [piece, id] : vocabulary.items()) {
        const std::optional<int> number = whole_number(id, static_cast<int>(most_pieces) - 1);
        if (!number)
            spec.fail("{1} gives the token {2} the id {3}, which is not the id of a token", in_quotes(piece),
                      in_quotes(id.dump()));
        const auto [earlier, is_new] = by_id.emplace(*number, piece);
        if (!is_new)
            spec.fail("{1} gives the tokens {2} and {3} the same id {4}", in_quotes(earlier->second), in_quotes(piece),
                      id.dump());
        add(piece, *number);
    }
}

int PieceTable::find(std::string_view piece) const {
    const auto found = ids_.find(std::string(piece));
    return found == ids_.end() ? -1 : found->second;
}

std::vector<int> PieceTable::byte_tokens() const {
    std::vector<int> ids;
    for (int byte = 0; byte < 256; ++byte) {
        std::array<char, 8> name{};
        std::snprintf(name.data(), name.size(), "<0x%02X>", static_cast<unsigned>(byte));
        ids.push_back(find(name.data()));
        if (ids.back() < 0) return {};
    }
    return ids;
}

void TokenModel::add_bytes(std::string_view piece, ByteRange range, std::vector<TokenOfPiece>& tokens) const {
    for (const char byte : bytes_of_lone(piece.substr(range.begin, range.end - range.begin)))
        tokens.push_back({bytes_[static_cast<unsigned char>(byte)], range});
}

std::unique_ptr<const TokenModel> make_token_model(const TokenizerSpec& spec) {
    if (!spec.value().is_object()) spec.fail("{1} is not an object");
    // Early files omit the type.
    std::string type = spec.text_or("type", "");
    if (type.empty())
        type = !spec["merges"].is_null()                    ? "BPE"
               : spec["vocab"].is_array()                   ? "Unigram"
               : spec["max_input_chars_per_word"].is_null() ? "WordLevel"
                                                            : "WordPiece";
    if (type == "BPE") return make_byte_pair_model(spec);
    if (type == "WordPiece") return make_word_piece_model(spec);
    if (type == "Unigram") return make_unigram_model(spec);
    if (type == "WordLevel") return std::make_unique<WordLevel>(spec);
    spec.fail("{1} has the type \"{2}\"; those known are BPE, WordPiece, Unigram and WordLevel", type);
}

}  // namespace glassformer
