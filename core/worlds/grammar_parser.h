#pragma once

#include <string>
#include <string_view>

#include "core/worlds/grammar.h"

namespace glassformer {

/// Reads the text of a grammar file; assets/worlds/homonyms.grammar explains the format in its header. Throws Error
/// naming file_name and the line for everything that is not understood, unknown, empty or defined twice. Whether the
/// grammar as a whole makes sense is checked by check_grammar.
Grammar parse_grammar(std::string_view text, const std::string& file_name);

}  // namespace glassformer
