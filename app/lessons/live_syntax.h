#pragma once

#include "app/lessons/live_numbers.h"

/// What live_syntax.cpp needs to know about the table of names in live_names.cpp.
namespace glassformer::app::live {

/// Returns the index of the name in the table; throws Error listing the known names.
std::size_t name_index(std::string_view name);
/// Throws Error unless the expression has exactly what its name takes.
void require_complete(const Expression& expression);

}  // namespace glassformer::app::live
