#pragma once

namespace glassformer {

/// Marks a text for translation where it is not drawn: in a table, or in core, which draws nothing. The build collects
/// it, and the code that draws it passes it to app's tr().
constexpr const char* N_(const char* text) { return text; }

}  // namespace glassformer
