#pragma once

#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "app/lessons/lesson.h"

namespace glassformer::app {

/// "block 0 head 3 off", "this head off", "block 1 MLP off", "positions off" …; throws Error naming what there is.
SceneChange parse_change(std::string_view text);
/// "sentence", "heads", "step 0", "model order"; throws Error naming what there is.
Beside parse_beside(std::string_view text);
/// A paragraph of a text, which may begin with "when {…} > 0.5:" or "otherwise:", and may be a picture that is still to
/// be loaded.
Paragraph parse_paragraph(std::string_view source, int line);
/// "positions sinusoidal, longest 8"; throws Error where one is not a name and a value.
std::vector<SetupSwitch> parse_switches(std::string_view text);
/// Throws Error unless the text is a whole number from 0 on.
int whole_number(std::string_view text);
/// Throws Error unless the text is a number.
float decimal(std::string_view text);

/// "Attention", or "Embedding: byte pairs" where a view has pages: its name, and which page (without one, the first).
/// Throws Error naming those that there are.
std::pair<std::string, int> parse_view(std::string_view text);

}  // namespace glassformer::app
