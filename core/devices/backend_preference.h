#pragma once

#include <string_view>

namespace glassformer {

/// What the person asked for: --backend auto|cpu|gl.
enum class BackendPreference { automatic, cpu, gl };
/// Throws Error listing the three names.
BackendPreference backend_preference(std::string_view name);
std::string_view name_of(BackendPreference preference);

}  // namespace glassformer
