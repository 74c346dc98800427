#pragma once

#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "core/text/aligned_text.h"

namespace glassformer {

/// An expression of a tokenizer's file, in Oniguruma's language, matched by PCRE2. Immutable: shared between threads.
class RegularExpression {
public:
    /// Throws Error naming `where` and what is wrong when the expression is broken, or cannot be said to PCRE2.
    RegularExpression(const std::string& expression, const std::string& where);

    /// All matches from left to right; empty ones are left out. Throws Error naming the expression when one takes
    /// beyond reason to find.
    std::vector<ByteRange> matches(std::string_view utf8) const;

private:
    struct Compiled;
    std::shared_ptr<const Compiled> compiled_;
};

/// An expression in Oniguruma's language, in which tokenizers are published, in PCRE2's with Unicode's classes: a class
/// within a class, intersections (&&), and what the same escape means otherwise (\s, \w, \h, \v, ^, $, {n,m}+). What
/// both say alike, and what is broken, stays as it is. Throws Error naming `where` for what PCRE2 cannot say.
std::string oniguruma_in_pcre2(std::string_view expression, const std::string& where);

}  // namespace glassformer
