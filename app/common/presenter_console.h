#pragma once

namespace glassformer::app {

/// The lecturer's console while the presenter is on: a window of its own where there is a second screen, else a drawer
/// beside the panel.
struct PresenterConsole {
    bool on = false;
    bool second_screen = false;  // the console is there, and the audience's screen is the panel's alone
    bool swap_screens = false;   // asked for
    bool focused = false;        // its window has the keyboard
};

}  // namespace glassformer::app
