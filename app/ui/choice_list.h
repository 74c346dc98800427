#pragma once

#include <span>
#include <string_view>

#include "app/ui/ui.h"

namespace glassformer::app {

/// One entry of a drop-down list.
struct ListedChoice {
    std::string_view item;          ///< its item is called "label/item"
    std::string_view text;          ///< the text shown
    std::string_view note = {};     ///< shown beside it in small letters
    std::string_view heading = {};  ///< shown above it, where a group begins
};

/// Like dropdown() of controls.h, with notes and headings for the choices.
int dropdown(const Ui& ui, std::string_view label, const Box& box, std::string_view shown,
             std::span<const ListedChoice> choices, int selected = -1);

}  // namespace glassformer::app
