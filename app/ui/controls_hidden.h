#pragma once

namespace glassformer::app {

/// While it lives, controls keep their place but are not drawn: a picture of a panel says what the panel says, and has
/// nothing to press. Of a row of choices the chosen one is there as a word, of a slider its number, of a field its
/// text.
class ControlsHidden {
public:
    ControlsHidden();
    ~ControlsHidden();
    ControlsHidden(const ControlsHidden&) = delete;
    ControlsHidden& operator=(const ControlsHidden&) = delete;
};
bool controls_hidden();

}  // namespace glassformer::app
