#pragma once

namespace glassformer::app {

/// While this exists, controls keep their place but are not drawn: an exported picture of a panel shows its content and
/// nothing to press. A row of choices shows its selected choice as a word, a slider its number, a field its text.
class ControlsHidden {
public:
    ControlsHidden();
    ~ControlsHidden();
    ControlsHidden(const ControlsHidden&) = delete;
    ControlsHidden& operator=(const ControlsHidden&) = delete;
};
bool controls_hidden();

}  // namespace glassformer::app
