#include "core/text/pipeline.h"
#include "core/text/regular_expression.h"
#include "core/text/unicode.h"
#include "core/text/utf8.h"

namespace glassformer {

namespace {

/// What happens to the separators at which a text is cut.
enum class Cut { removed, isolated, merged_with_previous, merged_with_next, contiguous };

Cut cut_of(const TokenizerSpec& spec, const std::string& otherwise) {
    const std::string name = spec.text_or("behavior", otherwise);
    if (name == "Removed") return Cut::removed;
    if (name == "Isolated") return Cut::isolated;
    if (name == "MergedWithPrevious") return Cut::merged_with_previous;
    if (name == "MergedWithNext") return Cut::merged_with_next;
    if (name == "Contiguous") return Cut::contiguous;
    spec.fail("{1} has the behavior \"{2}\", which is not known", name);
}

struct Part {
    ByteRange range;
    bool match;
};

/// The matches and the text between them.
std::vector<Part> parts_of(std::size_t size, const std::vector<ByteRange>& matches, bool invert) {
    std::vector<Part> parts;
    std::size_t done = 0;
    for (const ByteRange match : matches) {
        if (match.begin > done) parts.push_back({{done, match.begin}, invert});
        parts.push_back({match, !invert});
        done = match.end;
    }
    if (done < size) parts.push_back({{done, size}, invert});
    return parts;
}

std::vector<AlignedText> cut_at(const AlignedText& text, const std::vector<ByteRange>& matches, Cut cut,
                                bool invert = false) {
    std::vector<ByteRange> kept;
    bool joins = false, before = false;  // whether the next part joins the last one; whether that one was a match
    for (const Part& part : parts_of(text.size(), matches, invert)) {
        const bool join = !kept.empty() && ((cut == Cut::merged_with_previous && part.match && !before) ||
                                            (cut == Cut::merged_with_next && joins && !part.match) ||
                                            (cut == Cut::contiguous && part.match == before));
        if (cut == Cut::removed && part.match) {
            before = true;
            continue;
        }
        if (join)
            kept.back().end = part.range.end;
        else
            kept.push_back(part.range);
        joins = part.match;
        before = part.match;
    }
    std::vector<AlignedText> pieces;
    for (const ByteRange range : kept)
        if (range.begin < range.end) pieces.push_back(text.cut(range));
    return pieces;
}

std::vector<ByteRange> characters(std::string_view text, bool (*wanted)(char32_t)) {
    std::vector<ByteRange> found;
    for_each_character(text, [&](char32_t point, ByteRange range) {
        if (wanted(point)) found.push_back(range);
    });
    return found;
}

/// Applies `cut` to each piece.
PreTokenizer for_each_piece(std::function<std::vector<AlignedText>(const AlignedText&)> cut) {
    return [cut = std::move(cut)](std::vector<AlignedText> pieces) {
        std::vector<AlignedText> out;
        for (const AlignedText& piece : pieces)
            for (AlignedText& part : cut(piece)) out.push_back(std::move(part));
        return out;
    };
}

PreTokenizer characters_apart(bool (*wanted)(char32_t), Cut cut) {
    return for_each_piece([=](const AlignedText& text) { return cut_at(text, characters(text.text(), wanted), cut); });
}

/// The expression published with GPT-2 (Radford et al. 2019, encoder.py).
const RegularExpression& gpt2_expression() {
    static const RegularExpression expression(
        R"('s|'t|'re|'ve|'m|'ll|'d| ?\p{L}+| ?\p{N}+| ?[^\s\p{L}\p{N}]+|\s+(?!\S)|\s+)", "GPT-2");
    return expression;
}

PreTokenizer byte_level(const TokenizerSpec& spec) {
    const bool space = spec.flag("add_prefix_space", true), cuts = spec.flag("use_regex", true);
    return for_each_piece([=](const AlignedText& text) {
        AlignedText whole = text;
        if (space && !whole.text().starts_with(' ')) whole.prepend(" ");
        std::vector<AlignedText> pieces = cuts ? cut_at(whole, gpt2_expression().matches(whole.text()), Cut::isolated)
                                               : std::vector{std::move(whole)};
        for (AlignedText& piece : pieces) piece = as_byte_letters(piece);
        return pieces;
    });
}

PreTokenizer metaspace(const TokenizerSpec& spec) {
    const std::string mark = spec.text_or("replacement", "▁");
    const std::string scheme = spec.text_or("prepend_scheme", spec.flag("add_prefix_space", true) ? "always" : "never");
    if (scheme != "always" && scheme != "first" && scheme != "never")
        spec.fail("{1} has the prepend_scheme \"{2}\", which is not known", scheme);
    const bool cuts = spec.flag("split", true);
    return for_each_piece([=](const AlignedText& text) {
        AlignedText whole;
        for_each_character(text.text(), [&](char32_t point, ByteRange range) {
            if (point == ' ')
                whole.append(mark, text.source(range));
            else
                whole.append(text, range);
        });
        const bool wanted = scheme == "always" || (scheme == "first" && text.source({0, 1}).begin == 0);
        if (wanted && !whole.text().starts_with(mark)) whole.prepend(mark);
        if (!cuts) return std::vector{std::move(whole)};
        std::vector<ByteRange> marks;
        for (std::size_t at = whole.text().find(mark); at != std::string::npos;
             at = whole.text().find(mark, at + mark.size()))
            marks.push_back({at, at + mark.size()});
        return cut_at(whole, marks, Cut::merged_with_next);
    });
}

PreTokenizer bert() {
    const PreTokenizer spaces = characters_apart(is_white_space, Cut::removed),
                       marks = characters_apart(is_punctuation, Cut::isolated);
    return [=](std::vector<AlignedText> pieces) { return marks(spaces(std::move(pieces))); };
}

/// Runs of word characters and runs of other symbols; drops white space.
std::vector<AlignedText> words_and_signs(const AlignedText& text) {
    enum class Kind { space, word, sign };
    std::vector<ByteRange> runs;
    Kind before = Kind::space;
    for_each_character(text.text(), [&](char32_t point, ByteRange range) {
        const Kind kind = is_white_space(point) ? Kind::space : is_word_character(point) ? Kind::word : Kind::sign;
        if (kind == before && kind != Kind::space)
            runs.back().end = range.end;
        else if (kind != Kind::space)
            runs.push_back(range);
        before = kind;
    });
    std::vector<AlignedText> pieces;
    for (const ByteRange run : runs) pieces.push_back(text.cut(run));
    return pieces;
}

PreTokenizer at_delimiter(const TokenizerSpec& spec) {
    const std::string delimiter = spec.text("delimiter");
    if (delimiter.empty() || character_length(delimiter, 0) != delimiter.size())
        spec.fail("{1} has a \"delimiter\" that is not one character");
    return for_each_piece([wanted = character_at(delimiter, 0)](const AlignedText& text) {
        std::vector<ByteRange> found;
        for_each_character(text.text(), [&](char32_t point, ByteRange range) {
            if (point == wanted) found.push_back(range);
        });
        return cut_at(text, found, Cut::removed);
    });
}

}  // namespace

std::vector<std::string_view> split_gpt2(std::string_view utf8) {
    check_utf8(utf8);
    std::vector<std::string_view> pieces;
    for (const ByteRange piece : gpt2_expression().matches(utf8))
        pieces.push_back(utf8.substr(piece.begin, piece.end - piece.begin));
    return pieces;
}

PreTokenizer make_pre_tokenizer(const TokenizerSpec& spec) {
    if (spec.value().is_null()) return [](std::vector<AlignedText> pieces) { return pieces; };
    const std::string type = spec.type();
    if (type == "Sequence") return in_sequence<PreTokenizer>(spec, "pretokenizers", make_pre_tokenizer);
    if (type == "ByteLevel") return byte_level(spec);
    if (type == "Metaspace") return metaspace(spec);
    if (type == "BertPreTokenizer") return bert();
    if (type == "WhitespaceSplit") return characters_apart(is_white_space, Cut::removed);
    if (type == "Digits")
        return characters_apart(is_number, spec.flag("individual_digits", false) ? Cut::isolated : Cut::contiguous);
    if (type == "Punctuation") return characters_apart(is_punctuation, cut_of(spec, "Isolated"));
    if (type == "CharDelimiterSplit") return at_delimiter(spec);
    if (type == "Whitespace") return for_each_piece(words_and_signs);
    if (type == "Split")
        return for_each_piece([at = Replacement(spec), cut = cut_of(spec, "Isolated"),
                               invert = spec.flag("invert", false)](const AlignedText& text) {
            return cut_at(text, at.matches(text.text()), cut, invert);
        });
    spec.fail("{1} has the type \"{2}\", which is not supported", type);
}

}  // namespace glassformer
