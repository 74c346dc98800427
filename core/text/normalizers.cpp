#include "core/text/normalizers.h"

#include <array>
#include <memory>

#include "core/base/error.h"
#include "core/text/byte_letters.h"
#include "core/text/precompiled_map.h"
#include "core/text/regular_expression.h"
#include "core/text/unicode.h"
#include "core/text/utf8.h"

namespace glassformer {

namespace {

/// Each character as `letters` says; nothing where that is empty.
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

AlignedText cleaned(const AlignedText& text) {
    AlignedText out;
    for_each_character(text.text(), [&](char32_t point, ByteRange range) {
        const bool space = is_white_space(point) || point == '\t' || point == '\n' || point == '\r';
        if (space)
            out.append(" ", text.source(range));
        else if (point != 0 && point != 0xfffd && !is_other(point))
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

Normalizer normalizers_of(const TokenizerSpec& spec) {
    if (!spec["normalizers"].is_array()) spec.fail("has no list \"normalizers\"");
    std::vector<Normalizer> stages;
    for (std::size_t i = 0; i < spec["normalizers"].size(); ++i)
        stages.push_back(make_normalizer({spec["normalizers"][i], spec.where() + "[" + std::to_string(i) + "]"}));
    return [stages](const AlignedText& text) {
        AlignedText out = text;
        for (const Normalizer& stage : stages) out = stage(out);
        return out;
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

AlignedText as_byte_letters(const AlignedText& text) {
    static const std::array<std::string, 256> letters = [] {
        std::array<std::string, 256> all;
        for (int byte = 0; byte < 256; ++byte) all[byte] = byte_letters(std::string(1, static_cast<char>(byte)));
        return all;
    }();
    AlignedText out;
    for (std::size_t i = 0; i < text.size(); ++i)
        out.append(letters[static_cast<unsigned char>(text.text()[i])], text.source({i, i + 1}));
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
        spec.fail("has no \"pattern\" with a \"String\" or a \"Regex\"");
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
    if (type == "Sequence") return normalizers_of(spec);
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
    spec.fail("has the type \"" + type + "\", which is not supported");
}

}  // namespace glassformer
