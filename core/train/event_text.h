#pragma once

#include <string>

namespace glassformer {

// Numbers as the texts of events show them.

/// Three significant digits: "0.312", "4.16", "0.00271".
std::string event_number(double value);
/// "93.4 %"; whole where it is whole: "90 %".
std::string event_share(double value);

}  // namespace glassformer
