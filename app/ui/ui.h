#pragma once

#include "app/ui/focus.h"
#include "app/ui/fonts.h"
#include "app/ui/imgui_versions.h"
#include "app/ui/items.h"
#include "app/ui/theme.h"

namespace glassformer::app {

class HeatTextures;

/// What a view needs to draw: colours, fonts, the scale and the registries. Owned by ImGuiHost and passed to every
/// view. Positions are screen pixels; sizes in a view's code are pixels at 100 % and go through px().
struct Ui {
    const Theme* theme = nullptr;
    const Fonts* fonts = nullptr;
    Items* items = nullptr;
    Focus* focus = nullptr;
    HeatTextures* heat = nullptr;  ///< heat maps of large matrices
    float scale = 1;               ///< the user's text size times the screen's scale
    std::string_view reveal = {};  ///< an item that scrolling areas should bring into view; empty: none
    bool reduce_motion = false;    ///< no animation; scripts and screenshots set it
    bool every_row = false;        ///< scrolling lists register all rows, also those out of view: for an export

    /// Converts `size`, in pixels at 100 %, to whole screen pixels, at least 1.
    float px(float size) const {
        const float scaled = static_cast<float>(static_cast<int>(size * scale + 0.5f));
        return size > 0 && scaled < 1 ? 1.0f : scaled;
    }
    /// Height of a line of text.
    float line(FontRole role) const { return font_size(*(*fonts)[role]); }
    ImDrawList* list() const { return ImGui::GetWindowDrawList(); }
};

}  // namespace glassformer::app
