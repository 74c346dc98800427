#pragma once

#include <array>
#include <span>
#include <string_view>

/// The names of the window's keys, for the help and the command palette. keyboard.cpp and its neighbours handle the
/// keys.
namespace glassformer::app {

namespace key_name {
inline constexpr std::string_view find = "Ctrl+K", save_panel = "Ctrl+E", open_model = "Ctrl+O", hand_on = "Ctrl+S",
                                  layer = "↑ ↓", head = "← →", word = "Tab", sentence_a = "A", sentence_b = "B",
                                  stage = "Space", stage_clicker = "PgDn  PgUp", train = "T", one_step = "S",
                                  new_run = "Ctrl+N", switch_head = "X", paint = "← → ↑ ↓  Enter", restore = "R",
                                  predict = "P", leave = "Esc", back = "Backspace", undo = "Ctrl+Z", redo = "Ctrl+Y",
                                  larger = "Ctrl +", smaller = "Ctrl −", normal_size = "Ctrl 0", help = "F1",
                                  map = "F2", number = "F3", timeline = "F4", presenter = "F5", whole_screen = "F11",
                                  focus = "F6", press = "Enter", scroll = "wheel";
}  // namespace key_name

/// A row of the help: up to three keys, and their effect.
struct KeyHelp {
    std::array<std::string_view, 3> keys;
    const char* does;
};
/// Returns all rows, in the order of the help. Defined in help_overlay.cpp.
std::span<const KeyHelp> key_help();

}  // namespace glassformer::app
