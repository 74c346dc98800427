#pragma once

#include "app/desktop/app.h"

namespace glassformer::app {

/// Where the film that is being made waits for its picture: lays the window out without mouse and without the film's
/// own messages, draws it, and hands it over unseen. Call it between two frames.
void take_film_picture(App& app, ImGuiHost& host, Surface& surface);

}  // namespace glassformer::app
