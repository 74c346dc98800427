#pragma once

#include <imgui.h>

#include <optional>
#include <string>

#include "app/ui/box.h"

/// What the parts of the page's window share.
namespace glassformer::app {

/// The canvas that the program draws on: cmake/web/page.html.
inline constexpr const char* canvas = "#canvas";

/// Since the person last did something: moved the pointer, pressed a key.
double seconds_since_input();
/// How long tasks without a thread have run since the last call.
double take_seconds_of_tasks();

/// Returns where a finger that touches the canvas there means to click (Items::click_target()), in canvas pixels.
ImVec2 finger_target(ImVec2 at);
/// Returns the window that a finger scrolls if it moves from there; null for none (Items::scrolled_from()).
const void* scrolled_from(ImVec2 at);
/// Scrolls it in the next frame.
void scroll(const void* window, ImVec2 pixels);

/// The caret of the field that is typed into, in canvas pixels; empty if there is none.
std::optional<Box> caret();

/// A sentence over the page, in place of the program; none where it is empty.
void show_in_page(const std::string& sentence);

}  // namespace glassformer::app
