#pragma once

#include <span>
#include <string_view>

#include "app/ui/ui.h"

namespace glassformer::app {

/// One line of a list to choose from.
struct ListedChoice {
    std::string_view item;          ///< names it: "label/item"
    std::string_view text;          ///< what it is called
    std::string_view note = {};     ///< said beside it in small letters
    std::string_view heading = {};  ///< is above it, where a group begins
};

/// dropdown() of controls.h, with more to say about each choice.
int dropdown(const Ui& ui, std::string_view label, const Box& box, std::string_view shown,
             std::span<const ListedChoice> choices, int selected = -1);

}  // namespace glassformer::app
