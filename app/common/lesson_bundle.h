#pragma once

#include <string>

namespace glassformer::app {

/// The file that the model with all that is on screen is to be saved in; asked for by the palette, done by App.
struct HandingOn {
    std::string file;     // empty: none
    std::string student;  // who hands in homework; empty: nobody does
};

/// The palette asks for the dialog that saves a panel as a picture or as numbers, as Ctrl+E does.
struct SavePanelAsked {
    bool on = false;
};

/// Whether the window saves what is on the screen when it is left, and opens it at the next start; kept in the
/// settings.
struct KeepSession {
    bool on = false;
};

}  // namespace glassformer::app
