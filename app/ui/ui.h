#pragma once

#include "app/ui/focus.h"
#include "app/ui/fonts.h"
#include "app/ui/imgui_versions.h"
#include "app/ui/items.h"
#include "app/ui/theme.h"

namespace glassformer::app {

class HeatTextures;

/// What a view needs to draw: colours, fonts, the size of a pixel and the registries. Passed to every view; owned by
/// ImGuiHost. Positions are screen pixels; sizes written in a view are pixels at 100 % and go through px().
struct Ui {
    const Theme* theme = nullptr;
    const Fonts* fonts = nullptr;
    Items* items = nullptr;
    Focus* focus = nullptr;
    HeatTextures* heat = nullptr;  ///< pictures of large matrices
    float scale = 1;               ///< the person's size times the screen's
    std::string_view reveal = {};  ///< an item that scrolled areas bring into sight; empty: none
    bool reduce_motion = false;    ///< no animation; scripts and screenshots set it
    bool every_row = false;        ///< what scrolls registers all its rows, also those out of sight: for an export

    /// `size` pixels at 100 %, in whole screen pixels, at least 1.
    float px(float size) const {
        const float scaled = static_cast<float>(static_cast<int>(size * scale + 0.5f));
        return size > 0 && scaled < 1 ? 1.0f : scaled;
    }
    /// Height of a line of text.
    float line(FontRole role) const { return font_size(*(*fonts)[role]); }
    ImDrawList* list() const { return ImGui::GetWindowDrawList(); }
};

}  // namespace glassformer::app
