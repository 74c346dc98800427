#include "core/text/hf_tokenizer.h"

#include <algorithm>

#include "core/base/error.h"
#include "core/text/lone_bytes.h"
#include "core/text/shown_bytes.h"
#include "core/text/text_file.h"
#include "core/text/unicode.h"
#include "core/text/utf8.h"

namespace glassformer {

namespace {

bool word_before(std::string_view text, std::size_t end) {
    return end > 0 && is_word_character(character_at(text, character_start(text, end - 1)));
}

bool word_after(std::string_view text, std::size_t begin) {
    return begin < text.size() && is_word_character(character_at(text, begin));
}

std::size_t spaces_before(std::string_view text, std::size_t end) {
    while (end > 0) {
        const std::size_t at = character_start(text, end - 1);
        if (!is_white_space(character_at(text, at))) break;
        end = at;
    }
    return end;
}

std::size_t spaces_after(std::string_view text, std::size_t begin) {
    while (begin < text.size() && is_white_space(character_at(text, begin))) begin += character_length(text, begin);
    return begin;
}

using nlohmann::json;

constexpr std::size_t most_ids = std::size_t{1} << 20;

bool is_blank(char c) { return c == ' ' || (c >= '\t' && c <= '\r'); }

/// The names of the mask tokens of BERT and RoBERTa.
bool is_mask_by_name(const std::string& token) { return token == "[MASK]" || token == "<mask>"; }

/// True if pieces are written in letters that stand for bytes.
bool uses_byte_letters(const json& spec) {
    const json& decoder = spec.contains("decoder") ? spec["decoder"] : json();
    if (!decoder.is_object()) return false;
    if (decoder.value("type", json()) == "ByteLevel") return true;
    const json& inner = decoder.contains("decoders") ? decoder["decoders"] : json();
    return inner.is_array() && std::ranges::any_of(inner, [](const json& one) {
               return one.is_object() && one.value("type", json()) == "ByteLevel";
           });
}

/// What a post-processor puts between two texts, as tokens in text form; empty if it does not handle pairs.
std::string between_texts(const json& processor) {
    if (!processor.is_object()) return {};
    const json type = processor.value("type", json()), all = processor.value("processors", json()),
               sep = processor.value("sep", json()), pair = processor.value("pair", json());
    std::string between;
    if (type == "Sequence" && all.is_array())
        for (const json& one : all)
            if (between.empty()) between = between_texts(one);
    if ((type == "BertProcessing" || type == "RobertaProcessing") && sep.is_array() && !sep.empty() &&
        sep[0].is_string()) {
        const std::string token = sep[0];
        return type == "BertProcessing" ? token : token + token;
    }
    if (type != "TemplateProcessing" || !pair.is_array()) return between;
    int texts = 0;
    for (const json& part : pair) {
        if (part.is_object() && part.contains("Sequence")) ++texts;
        const json& special = part.is_object() && part.contains("SpecialToken") ? part["SpecialToken"] : json();
        if (texts == 1 && special.is_object() && special.value("id", json()).is_string())
            between += special["id"].get<std::string>();
    }
    return texts == 2 ? between : std::string();
}

std::shared_ptr<std::vector<std::string>> texts_of(const TokenModel& model, const AddedTokens& added,
                                                   const std::string& where) {
    const auto texts = std::make_shared<std::vector<std::string>>();
    const auto put = [&](int id, const std::string& text) {
        const std::size_t at = id;
        if (at >= most_ids) throw Error("{1}: the token {2} has an impossible id", where, in_quotes(text));
        if (texts->size() <= at) texts->resize(at + 1);
        (*texts)[at] = text;
    };
    for (const auto& [text, id] : model.pieces().all()) put(id, text);
    for (const AddedTokens::Token& token : added.all()) put(token.id, token.text);
    if (texts->empty()) throw Error("{1}: has no token", where);
    return texts;
}

/// A piece with its blanks, which many tokenizers write as ▁.
std::string shown_text(std::string_view piece) {
    std::string shown;
    for_each_character(piece, [&](char32_t point, ByteRange range) {
        shown += point == U'▁' ? " " : piece.substr(range.begin, range.end - range.begin);
    });
    return shown_bytes(bytes_of_lone(shown));
}

}  // namespace

AddedTokens::AddedTokens(const TokenizerSpec& spec, const Normalizer& normalizer) : plain_(256), normalized_(256) {
    if (spec.value().is_null()) return;
    if (!spec.value().is_array()) spec.fail("{1} is not a list");
    for (std::size_t i = 0; i < spec.value().size(); ++i) {
        const TokenizerSpec one(spec.value()[i], spec.where() + "[" + std::to_string(i) + "]");
        Token token{one.text("content"), one.number("id"), one.flag("special", false)};
        token.normalized = one.flag("normalized", !token.special);
        token.single_word = one.flag("single_word", false);
        token.takes_left = one.flag("lstrip", false), token.takes_right = one.flag("rstrip", false);
        tokens_.push_back(token);
        const std::string text = token.normalized ? normalizer(AlignedText(token.text)).text() : token.text;
        if (!text.empty())
            (token.normalized ? normalized_ : plain_)[static_cast<unsigned char>(text[0])].push_back({text, i});
    }
    for (auto* table : {&plain_, &normalized_})
        for (std::vector<Searched>& list : *table)
            std::ranges::stable_sort(list, std::greater{}, [](const Searched& s) { return s.text.size(); });
}

std::vector<AddedTokens::Part> AddedTokens::split(const AlignedText& text,
                                                  const std::vector<std::vector<Searched>>& by_first) const {
    const std::string& all = text.text();
    std::vector<Part> parts;
    std::size_t done = 0;
    const auto keep = [&](std::size_t begin, std::size_t end, int token) {
        if (begin < end) parts.push_back({text.cut({begin, end}), token});
    };
    for (std::size_t at = 0; at < all.size();) {
        const auto& list = by_first[static_cast<unsigned char>(all[at])];
        const auto found =
            std::ranges::find_if(list, [&](const Searched& s) { return all.compare(at, s.text.size(), s.text) == 0; });
        if (found == list.end()) {
            ++at;
            continue;
        }
        const Token& token = tokens_[found->token];
        const std::size_t end = at + found->text.size();
        if (token.single_word && (word_before(all, at) || word_after(all, end))) {
            at = end;
            continue;
        }
        const std::size_t first = token.takes_left ? std::max(done, spaces_before(all, at)) : at;
        const std::size_t last = token.takes_right ? spaces_after(all, end) : end;
        keep(done, first, -1);
        keep(first, last, token.id);
        done = at = last;
    }
    keep(done, all.size(), -1);
    return parts;
}

std::vector<AddedTokens::Part> AddedTokens::find(const AlignedText& typed, const Normalizer& normalizer) const {
    std::vector<Part> out;
    for (Part& part : split(typed, plain_)) {
        if (part.token >= 0) {
            out.push_back(std::move(part));
            continue;
        }
        for (Part& inner : split(normalizer(part.text), normalized_)) out.push_back(std::move(inner));
    }
    return out;
}

HfTokenizer::HfTokenizer(json spec, const std::string& where)
    : spec_(std::make_shared<const json>(std::move(spec))),
      model_(make_token_model(TokenizerSpec(*spec_, where + ":").inner("model"))),
      normalizer_(make_normalizer(TokenizerSpec(*spec_, where + ":").inner("normalizer"))),
      added_(TokenizerSpec(*spec_, where + ":").inner("added_tokens"), normalizer_),
      pre_tokenizer_(make_pre_tokenizer(TokenizerSpec(*spec_, where + ":").inner("pre_tokenizer"))),
      decoder_(make_decoder(TokenizerSpec(*spec_, where + ":").inner("decoder"))),
      texts_(texts_of(*model_, added_, where)),
      pieces_(*texts_),
      special_(texts_->size()),
      byte_letters_(uses_byte_letters(*spec_)) {
    post_processor_ = make_post_processor(
        TokenizerSpec(*spec_, where + ":").inner("post_processor"), [texts = texts_, where](int id) {
            if (id < 0 || id >= static_cast<int>(texts->size()))
                throw Error("{1}: the post-processor adds unknown token {2}", where, id);
            return (*texts)[id];
        });
    for (const AddedTokens::Token& token : added_.all()) special_[token.id] = token.special;
}

HfTokenizer HfTokenizer::load(const std::filesystem::path& folder) {
    json spec = read_tokenizer_spec(folder);
    if (spec.is_null()) throw Error("{1}: has no tokenizer.json, vocab.txt, or vocab.json with merges.txt", folder);
    const char* const files = file_exists(folder / "tokenizer.json") ? "tokenizer.json"
                              : file_exists(folder / "vocab.txt")    ? "vocab.txt"
                                                                     : "vocab.json with merges.txt";
    return from_spec(std::move(spec), (folder / files).string(), mask_token_in(folder));
}

HfTokenizer HfTokenizer::from_spec(json spec, const std::string& where, const std::string& mask_token) {
    HfTokenizer tokenizer(std::move(spec), where);
    tokenizer.find_mask(mask_token);
    return tokenizer;
}

void HfTokenizer::find_mask(const std::string& told) {
    for (const AddedTokens::Token& token : added_.all())
        if (told.empty() ? is_mask_by_name(token.text) : token.text == told) mask_ = token.id;
    if (!mask_ && !told.empty())
        if (const int id = model_->pieces().find(told); id >= 0) mask_ = id;
}

const std::string& HfTokenizer::piece(int id) const {
    if (id < 0 || id >= size()) throw Error("there is no token with id {1}; the vocabulary has {2}", id, size());
    return pieces_[id];
}

std::optional<int> HfTokenizer::unknown_id() const {
    return model_->unknown() < 0 ? std::nullopt : std::optional<int>(model_->unknown());
}

std::string HfTokenizer::between_sentences() const {
    return between_texts(spec_->is_object() ? spec_->value("post_processor", json()) : json());
}

std::string HfTokenizer::token_text(int id) const {
    const std::string& text = piece(id);
    return special_[id] ? shown_text(text) : shown_piece(text);
}

std::string HfTokenizer::shown_piece(std::string_view piece) const {
    if (byte_letters_)
        if (const auto bytes = letter_bytes(piece)) return shown_bytes(*bytes);
    return shown_text(piece);
}

HfTokenizer::Stages HfTokenizer::stages(std::string_view utf8) const {
    check_utf8(utf8);
    Stages stages;
    const bool reads_bytes = byte_letters_ || model_->falls_back();
    const AlignedText typed = reads_bytes ? aligned_with_lone_bytes(utf8) : AlignedText(utf8);
    for (AddedTokens::Part& part : added_.find(typed, normalizer_)) {
        stages.normalized += part.text.text();
        if (part.token >= 0) {
            const std::string& all = part.text.text();
            TokenOfText token{part.token, part.text.source({0, part.text.size()})};
            while (token.blanks_before < all.size() && is_blank(all[token.blanks_before])) ++token.blanks_before;
            while (token.blanks_before + token.blanks_after < all.size() &&
                   is_blank(all[all.size() - 1 - token.blanks_after]))
                ++token.blanks_after;
            stages.pieces.push_back({std::move(part.text), true, {token}});
            continue;
        }
        for (AlignedText& piece : pre_tokenizer_({std::move(part.text)})) {
            std::vector<TokenOfText> tokens;
            for (const TokenOfPiece& token : model_->tokens(piece.text()))
                tokens.push_back({token.id, piece.source(token.range)});
            stages.pieces.push_back({std::move(piece), false, std::move(tokens)});
        }
    }
    std::vector<TokenOfText> all;
    for (const Stages::Piece& piece : stages.pieces) all.insert(all.end(), piece.tokens.begin(), piece.tokens.end());
    stages.tokens = post_processor_(std::move(all));
    return stages;
}

std::vector<TokenOfText> HfTokenizer::encode(std::string_view utf8) const { return stages(utf8).tokens; }

std::vector<std::string> HfTokenizer::doubled(std::string_view utf8) const {
    std::vector<std::string> pieces;
    const std::vector<TokenOfText> tokens = encode(utf8);
    for (std::size_t i = 1; i < tokens.size(); ++i)
        if (tokens[i].id == tokens[i - 1].id && tokens[i].added != tokens[i - 1].added)
            pieces.push_back(piece(tokens[i].id));
    return pieces;
}

std::vector<int> HfTokenizer::ids(std::string_view utf8) const {
    std::vector<int> ids;
    bool any = false;
    for (const TokenOfText& token : encode(utf8)) {
        ids.push_back(token.id);
        any = any || !token.added;
    }
    if (!any) throw Error("the text has no token");
    return ids;
}

std::string HfTokenizer::decode(std::span<const int> ids) const {
    std::vector<std::string> pieces;
    for (const int id : ids) pieces.push_back(piece(id));
    std::string text;
    for (const std::string& part : decoder_(std::move(pieces))) text += part;
    return text;
}

void HfTokenizer::save_in(const std::filesystem::path& folder) const {
    write_text_file(folder / "tokenizer.json", spec_->dump() + "\n");
    if (mask_ && !is_mask_by_name(piece(*mask_)))
        write_text_file(folder / special_tokens_file, json{{"mask_token", piece(*mask_)}}.dump() + "\n");
}

}  // namespace glassformer
