#pragma once

#include <string>

#include "core/text/aligned_text.h"

namespace glassformer {

/// Unicode's normalization forms: composed or decomposed, by canonical or by compatibility equivalence.
enum class NormalForm { nfc, nfd, nfkc, nfkd };

/// The text in that form; each part stands for what it was made of. By utf8proc.
AlignedText in_normal_form(const AlignedText& text, NormalForm form);

/// The characters of the code point in lower case.
std::string lower_case_of(char32_t point);

/// Classes of Unicode's general category.
bool is_white_space(char32_t point);
bool is_nonspacing_mark(char32_t point);  // Mn
bool is_mark(char32_t point);             // M
bool is_punctuation(char32_t point);      // P, and ASCII's other signs
bool is_number(char32_t point);           // N
bool is_word_character(char32_t point);   // L, N, M and connectors: \w
bool is_other(char32_t point);            // C: control, format, not assigned

/// Ideographs that BERT takes as words of their own.
bool is_cjk(char32_t point);

/// Stretches that a person sees as one character, from left to right.
std::vector<ByteRange> graphemes(std::string_view utf8);

}  // namespace glassformer
