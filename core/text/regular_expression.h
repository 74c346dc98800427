#pragma once

#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "core/text/aligned_text.h"

namespace glassformer {

/// A regular expression of a tokenizer, in Oniguruma syntax, matched by PCRE2. Immutable: shared between threads.
class RegularExpression {
public:
    /// Throws Error naming `where` and the problem if the expression is invalid or cannot be translated to PCRE2.
    RegularExpression(const std::string& expression, const std::string& where);

    /// All nonempty matches from left to right. Throws Error naming the expression if a match takes too many steps.
    std::vector<ByteRange> matches(std::string_view utf8) const;

private:
    struct Compiled;
    std::shared_ptr<const Compiled> compiled_;
};

/// Translates an expression from Oniguruma syntax, in which tokenizers are published, to PCRE2 syntax with Unicode
/// classes: nested classes, intersections (&&), and escapes with a different meaning (\s, \w, \h, \v, ^, $, {n,m}+).
/// Anything that means the same in both, or is invalid, stays unchanged. Throws Error naming `where` for what PCRE2
/// cannot express.
std::string oniguruma_in_pcre2(std::string_view expression, const std::string& where);

}  // namespace glassformer
