#pragma once

#include <doctest/doctest.h>

#include <string>

#include "app/language/tr.h"

#ifdef GLASSFORMER_LOCALE

namespace glassformer::app {

/// Sets the language, and restores English however the test ends.
class InLanguage {
public:
    explicit InLanguage(const std::string& code) { REQUIRE(use_language(code, GLASSFORMER_LOCALE)); }
    InLanguage(const InLanguage&) = delete;
    InLanguage& operator=(const InLanguage&) = delete;
    ~InLanguage() { use_language("en", GLASSFORMER_LOCALE); }
};

class InPseudoLanguage : public InLanguage {
public:
    InPseudoLanguage() : InLanguage("en_XA") {}
};

}  // namespace glassformer::app

#endif
