#pragma once

#include <string>
#include <vector>

namespace glassformer::app {

/// A line of a table. What a spreadsheet would take for a formula is none there.
std::string csv_row(const std::vector<std::string>& cells);

}  // namespace glassformer::app
