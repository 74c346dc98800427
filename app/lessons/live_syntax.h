#pragma once

#include "app/lessons/live_numbers.h"

/// What live_syntax.cpp needs to know of the table of names in live_names.cpp.
namespace glassformer::app::live {

/// Where the name is in the table; throws Error naming those there are.
std::size_t name_index(std::string_view name);
/// Throws Error unless the expression has just what its name takes.
void require_complete(const Expression& expression);

}  // namespace glassformer::app::live
