#pragma once

#include <string>

#include "core/text/aligned_text.h"

namespace glassformer {

/// Unicode's normalization forms: composed or decomposed, by canonical or by compatibility equivalence.
enum class NormalForm { nfc, nfd, nfkc, nfkd };

/// The text in this form; each part keeps its source in the typed text. Uses utf8proc.
AlignedText in_normal_form(const AlignedText& text, NormalForm form);

/// The lower case of a code point, which may be several characters.
std::string lower_case_of(char32_t point);

/// Classes based on Unicode's general category.
bool is_white_space(char32_t point);
bool is_nonspacing_mark(char32_t point);  // Mn
bool is_mark(char32_t point);             // M
bool is_punctuation(char32_t point);      // P, and ASCII's other symbols
bool is_number(char32_t point);           // N
bool is_word_character(char32_t point);   // \w of Unicode (UTS 18): letters, marks, digits, connectors, joiners
bool is_other(char32_t point);            // C: control, format, unassigned

/// Ideographs that BERT treats as separate words.
bool is_cjk(char32_t point);

/// The user-perceived characters (grapheme clusters), from left to right.
std::vector<ByteRange> graphemes(std::string_view utf8);

}  // namespace glassformer
