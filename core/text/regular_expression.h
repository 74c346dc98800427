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

}  // namespace glassformer
