#include "core/text/added_tokens.h"

#include <algorithm>

#include "core/base/error.h"
#include "core/text/unicode.h"

namespace glassformer {

namespace {

bool word_before(std::string_view text, std::size_t end) {
    if (end == 0) return false;
    std::size_t at = end - 1;
    while (at > 0 && (static_cast<unsigned char>(text[at]) & 0xc0) == 0x80) --at;
    return is_word_character(character_at(text, at));
}

bool word_after(std::string_view text, std::size_t begin) {
    return begin < text.size() && is_word_character(character_at(text, begin));
}

std::size_t spaces_before(std::string_view text, std::size_t end) {
    while (end > 0) {
        std::size_t at = end - 1;
        while (at > 0 && (static_cast<unsigned char>(text[at]) & 0xc0) == 0x80) --at;
        if (!is_white_space(character_at(text, at))) break;
        end = at;
    }
    return end;
}

std::size_t spaces_after(std::string_view text, std::size_t begin) {
    while (begin < text.size() && is_white_space(character_at(text, begin))) begin += character_length(text, begin);
    return begin;
}

}  // namespace

AddedTokens::AddedTokens(const TokenizerSpec& spec, const Normalizer& normalizer) : plain_(256), normalized_(256) {
    if (spec.value().is_null()) return;
    if (!spec.value().is_array()) spec.fail("is not a list");
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

std::vector<AddedTokens::Part> AddedTokens::find(std::string_view typed, const Normalizer& normalizer) const {
    std::vector<Part> out;
    for (Part& part : split(AlignedText(typed), plain_)) {
        if (part.token >= 0) {
            out.push_back(std::move(part));
            continue;
        }
        for (Part& inner : split(normalizer(part.text), normalized_)) out.push_back(std::move(inner));
    }
    return out;
}

}  // namespace glassformer
