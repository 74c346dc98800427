#pragma once

#include <cstdint>
#include <string>

namespace glassformer::app {

/// "9999", "122,752": digits are grouped in threes from five digits on.
std::string grouped(std::int64_t n);

}  // namespace glassformer::app
