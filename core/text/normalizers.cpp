#include <array>
#include <cstdint>
#include <cstring>
#include <memory>
#include <optional>

#include "core/base/error.h"
#include "core/text/lone_bytes.h"
#include "core/text/pipeline.h"
#include "core/text/regular_expression.h"
#include "core/text/unicode.h"
#include "core/text/utf8.h"

namespace glassformer {

namespace {

std::optional<std::string> from_base64(std::string_view text) {
    constexpr std::string_view letters = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
    std::string bytes;
    std::uint32_t bits = 0;
    int count = 0;
    while (text.ends_with('=')) text.remove_suffix(1);
    for (const char c : text) {
        const std::size_t value = letters.find(c);
        if (value == std::string_view::npos) return std::nullopt;
        bits = bits << 6 | static_cast<std::uint32_t>(value);
        if ((count += 6) >= 8) bytes += static_cast<char>(bits >> (count -= 8) & 0xffu);
    }
    return bytes;
}

// A cell of the trie holds a label, an offset to its children, and whether a value follows.
std::uint32_t label(std::uint32_t cell) { return cell & ((1u << 31) | 0xffu); }
std::uint32_t offset(std::uint32_t cell) { return (cell >> 10) << ((cell & (1u << 9)) >> 6); }
bool has_value(std::uint32_t cell) { return (cell >> 8 & 1u) == 1; }
std::uint32_t value(std::uint32_t cell) { return cell & ((1u << 31) - 1); }

constexpr std::size_t longest_grapheme = 6;  // bytes; longer ones are looked up character by character

/// Replaces each character with letters(character), which may be empty.
AlignedText mapped(const AlignedText& text, const std::function<std::string(char32_t)>& letters) {
    AlignedText out;
    for_each_character(text.text(),
                       [&](char32_t point, ByteRange range) { out.append(letters(point), text.source(range)); });
    return out;
}

AlignedText without(const AlignedText& text, bool (*gone)(char32_t)) {
    AlignedText out;
    for_each_character(text.text(), [&](char32_t point, ByteRange range) {
        if (!gone(point)) out.append(text, range);
    });
    return out;
}

AlignedText lower_cased(const AlignedText& text) { return mapped(text, lower_case_of); }

AlignedText stripped(const AlignedText& text, bool left, bool right) {
    std::size_t begin = text.size(), end = 0;
    for_each_character(text.text(), [&](char32_t point, ByteRange range) {
        if (is_white_space(point)) return;
        begin = std::min(begin, range.begin);
        end = range.end;
    });
    if (begin >= end && (left || right)) return {};
    return text.cut({left ? begin : 0, right ? end : text.size()});
}

/// As BERT does: control characters go, also those that count as white space, but for tabs and line breaks.
AlignedText cleaned(const AlignedText& text) {
    AlignedText out;
    for_each_character(text.text(), [&](char32_t point, ByteRange range) {
        const bool break_or_tab = point == '\t' || point == '\n' || point == '\r';
        if (!break_or_tab && (point == 0xfffd || is_other(point))) return;
        if (break_or_tab || is_white_space(point))
            out.append(" ", text.source(range));
        else
            out.append(text, range);
    });
    return out;
}

AlignedText with_spaced_cjk(const AlignedText& text) {
    AlignedText out;
    for_each_character(text.text(), [&](char32_t point, ByteRange range) {
        const bool apart = is_cjk(point);
        if (apart) out.append(" ", text.source(range));
        out.append(text, range);
        if (apart) out.append(" ", text.source(range));
    });
    return out;
}

Normalizer bert_normalizer(const TokenizerSpec& spec) {
    const bool clean = spec.flag("clean_text", true), cjk = spec.flag("handle_chinese_chars", true),
               lower = spec.flag("lowercase", true), strip = spec.flag("strip_accents", lower);
    return [=](const AlignedText& text) {
        AlignedText out = clean ? cleaned(text) : text;
        if (cjk) out = with_spaced_cjk(out);
        if (strip) out = without(in_normal_form(out, NormalForm::nfd), is_nonspacing_mark);
        return lower ? lower_cased(out) : out;
    };
}

std::vector<ByteRange> places_of(std::string_view text, const std::string& wanted) {
    std::vector<ByteRange> found;
    if (wanted.empty()) return found;
    for (std::size_t at = text.find(wanted); at != std::string_view::npos; at = text.find(wanted, at + wanted.size()))
        found.push_back({at, at + wanted.size()});
    return found;
}

}  // namespace

PrecompiledMap::PrecompiledMap(const std::string& base64, const std::string& where) {
    const std::optional<std::string> bytes = from_base64(base64);
    const auto fail = [&] { throw Error("{1} has a \"precompiled_charsmap\" that is broken", where); };
    if (!bytes) fail();
    if (bytes->size() < 4) fail();
    std::uint32_t trie_bytes = 0;
    std::memcpy(&trie_bytes, bytes->data(), 4);
    if (trie_bytes % 4 != 0 || trie_bytes < 4 || trie_bytes > bytes->size() - 4) fail();
    trie_.resize(trie_bytes / 4);
    std::memcpy(trie_.data(), bytes->data() + 4, trie_bytes);
    replacements_ = bytes->substr(4 + trie_bytes);
    if (!is_valid_utf8(replacements_)) fail();
    replacements_ += '\0';
}

const char* PrecompiledMap::find(std::string_view text) const {
    std::size_t at = 0;
    std::uint32_t cell = trie_[0];
    at ^= offset(cell);
    for (const char c : text) {
        const auto byte = static_cast<unsigned char>(c);
        if (byte == 0) break;
        at ^= byte;
        if (at >= trie_.size()) break;
        cell = trie_[at];
        if (label(cell) != byte) break;
        at ^= offset(cell);
        if (!has_value(cell)) continue;
        if (at >= trie_.size()) break;
        // The first entry wins, as in the published implementation.
        if (const std::uint32_t place = value(trie_[at]); place < replacements_.size())
            return replacements_.c_str() + place;
        break;
    }
    return nullptr;
}

AlignedText PrecompiledMap::apply(const AlignedText& text) const {
    AlignedText out;
    const std::string& all = text.text();
    const auto take = [&](ByteRange range) {
        const char* replacement = find(std::string_view(all).substr(range.begin, range.end - range.begin));
        if (replacement) out.append(replacement, text.source(range));
        return replacement != nullptr;
    };
    for (const ByteRange grapheme : graphemes(all)) {
        if (grapheme.end - grapheme.begin < longest_grapheme && take(grapheme)) continue;
        for (std::size_t at = grapheme.begin; at < grapheme.end;) {
            const ByteRange one{at, at + character_length(all, at)};
            if (!take(one)) out.append(text, one);
            at = one.end;
        }
    }
    return out;
}

AlignedText as_byte_letters(const AlignedText& text) {
    static const std::array<std::string, 256> letters = [] {
        std::array<std::string, 256> all;
        for (int byte = 0; byte < 256; ++byte) all[byte] = byte_letters(std::string(1, static_cast<char>(byte)));
        return all;
    }();
    AlignedText out;
    for_each_character(text.text(), [&](char32_t point, ByteRange range) {
        if (const std::optional<unsigned char> byte = lone_byte(point))
            return out.append(letters[*byte], text.source(range));
        for (std::size_t i = range.begin; i < range.end; ++i)
            out.append(letters[static_cast<unsigned char>(text.text()[i])], text.source({i, i + 1}));
    });
    return out;
}

Replacement::Replacement(const TokenizerSpec& spec) {
    const TokenizerSpec pattern = spec.inner("pattern");
    if (pattern["String"].is_string())
        find_ = [wanted = pattern.text("String")](std::string_view text) { return places_of(text, wanted); };
    else if (pattern["Regex"].is_string())
        find_ = [expression = RegularExpression(pattern.text("Regex"), pattern.where())](std::string_view text) {
            return expression.matches(text);
        };
    else
        spec.fail("{1} has no \"pattern\" with a \"String\" or a \"Regex\"");
}

AlignedText Replacement::replace(const AlignedText& text, const std::string& content) const {
    AlignedText out;
    std::size_t done = 0;
    for (const ByteRange match : find_(text.text())) {
        out.append(text, {done, match.begin});
        out.append(content, text.source(match));
        done = match.end;
    }
    out.append(text, {done, text.size()});
    return out;
}

Normalizer make_normalizer(const TokenizerSpec& spec) {
    if (spec.value().is_null()) return [](const AlignedText& text) { return text; };
    const std::string type = spec.type();
    if (type == "Sequence") return in_sequence<Normalizer>(spec, "normalizers", make_normalizer);
    if (type == "BertNormalizer") return bert_normalizer(spec);
    if (type == "Lowercase") return lower_cased;
    if (type == "StripAccents") return [](const AlignedText& text) { return without(text, is_mark); };
    if (type == "ByteLevel") return as_byte_letters;
    for (const auto& [name, form] : {std::pair("NFC", NormalForm::nfc),
                                     {"NFD", NormalForm::nfd},
                                     {"NFKC", NormalForm::nfkc},
                                     {"NFKD", NormalForm::nfkd}})
        if (type == name) return [wanted = form](const AlignedText& text) { return in_normal_form(text, wanted); };
    if (type == "Strip")
        return [left = spec.flag("strip_left", true), right = spec.flag("strip_right", true)](const AlignedText& text) {
            return stripped(text, left, right);
        };
    if (type == "Replace")
        return [replacement = Replacement(spec), content = spec.text("content")](const AlignedText& text) {
            return replacement.replace(text, content);
        };
    if (type == "Prepend")
        return [added = spec.text("prepend")](const AlignedText& text) {
            AlignedText out = text;
            out.prepend(added);
            return out;
        };
    if (type == "Precompiled") {
        if (spec["precompiled_charsmap"].is_null()) return [](const AlignedText& text) { return text; };
        const auto map = std::make_shared<const PrecompiledMap>(spec.text("precompiled_charsmap"), spec.where());
        return [map](const AlignedText& text) { return map->apply(text); };
    }
    spec.fail("{1} has the type \"{2}\", which is not supported", type);
}

}  // namespace glassformer
