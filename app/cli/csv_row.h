#pragma once

#include <string>
#include <vector>

namespace glassformer::app {

/// A line of a CSV table. Cells that a spreadsheet would take for formulas are escaped.
std::string csv_row(const std::vector<std::string>& cells);

}  // namespace glassformer::app
