#pragma once

#include <string_view>
#include <vector>

namespace glassformer {

/// Cuts text into the pieces within which GPT-2 merges bytes: the endings 's 't 're 've 'm 'll 'd; runs of letters, of
/// digits, and of other marks, each with the one blank before it; white space. Nothing is lost: the pieces joined are
/// the text. They point into it. Throws Error naming the byte offset when the text is not UTF-8.
///
/// The rule is the regular expression published with GPT-2 (Radford et al. 2019, encoder.py). What a letter or digit is
/// comes from PCRE2's Unicode tables.
std::vector<std::string_view> split_gpt2(std::string_view utf8);

}  // namespace glassformer
