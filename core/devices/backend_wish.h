#pragma once

#include <string_view>

namespace glassformer {

/// What the person asked for: --backend auto|cpu|gl.
enum class BackendWish { automatic, cpu, gl };
/// Throws Error listing the three names.
BackendWish backend_wish(std::string_view name);
std::string_view name_of(BackendWish wish);

}  // namespace glassformer
