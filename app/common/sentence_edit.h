#pragma once

#include <array>
#include <string>

namespace glassformer::app {

/// A sentence being typed.
struct SentenceEdit {
    bool open = false;        // the token row is a text field
    bool sent = false;        // Enter was pressed; closes when the worker could read it
    bool take_focus = false;  // the field was just opened
    std::string draft;
    std::string last_good;  // the newest sentence that could be read
};

/// Of A and B.
struct SentenceEdits {
    std::array<SentenceEdit, 2> of;
    void on_model_changed() { of = {}; }
};

}  // namespace glassformer::app
