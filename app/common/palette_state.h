#pragma once

#include <string>

namespace glassformer::app {

/// The command palette (app/palette).
struct PaletteState {
    enum class Page {
        everything,
        save,
        reset,
        keep,
        open_run,
        metrics,
        film,
        open_model,
        hand_on,
        homework,
        open_lesson,
        new_lesson,
        forward_film
    };  // what its list offers
    bool open = false, take_focus = false;
    Page page = Page::everything;
    std::string query;
    int row = 0, first = 0;  // the chosen one of the list, and the first that is seen
};

}  // namespace glassformer::app
