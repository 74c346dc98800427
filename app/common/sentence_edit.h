#pragma once

#include <array>
#include <optional>
#include <string>

namespace glassformer::app {

/// A sentence being typed.
struct SentenceEdit {
    bool open = false;        // the token row is a text field
    bool take_focus = false;  // the field was just opened
    std::string draft;
    std::optional<std::string> sent;    // sent with Enter; the field closes once the worker has read it
    std::optional<std::string> second;  // the second sentence, for a model that reads two; empty if there is one only
    bool focus_second = false;          // its field was just opened
    std::string last_good;              // the newest sentence that could be read
};

/// The edits of A and B.
struct SentenceEdits {
    std::array<SentenceEdit, 2> of;
    void on_model_changed() { of = {}; }
};

}  // namespace glassformer::app
