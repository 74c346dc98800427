#pragma once

#include <string>
#include <string_view>

namespace glassformer {

/// An expression in Oniguruma's language, in which tokenizers are published, in PCRE2's with Unicode's classes: a class
/// within a class, intersections (&&), and what the same escape means otherwise (\s, \w, \h, \v, ^, $, {n,m}+). What
/// both say alike, and what is broken, stays as it is. Throws Error naming `where` for what PCRE2 cannot say.
std::string oniguruma_in_pcre2(std::string_view expression, const std::string& where);

}  // namespace glassformer
