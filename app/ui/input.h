#pragma once

#include <imgui.h>

#include <optional>
#include <string_view>

/// Keys and scripted input, the same for ImGui 1.86 (arrays in io, no event queue) and later (events).
namespace glassformer::app {

/// The keys used by the program or by scripts.
enum class Key {
    tab,
    left,
    right,
    up,
    down,
    page_up,
    page_down,
    home,
    end,
    insert,
    del,
    backspace,
    space,
    enter,
    escape,
    minus,
    equal,
    comma,
    period,
    slash,
    d0,
    d1,
    d2,
    d3,
    d4,
    d5,
    d6,
    d7,
    d8,
    d9,
    a,
    b,
    c,
    d,
    e,
    f,
    g,
    h,
    i,
    j,
    k,
    l,
    m,
    n,
    o,
    p,
    q,
    r,
    s,
    t,
    u,
    v,
    w,
    x,
    y,
    z,
    f1,
    f2,
    f3,
    f4,
    f5,
    f6,
    f7,
    f8,
    f9,
    f10,
    f11,
    f12,
    left_ctrl,
    left_shift,
    left_alt,
    count
};

/// True in the frame in which `key` goes down (with `repeat`, also while it is held).
bool key_pressed(Key key, bool repeat = false);
bool ctrl_down();
bool shift_down();
/// False while a text field or an open list has the keyboard: then keys are text or choices, not commands.
bool keys_are_commands();

/// "Left", "PageDown", "F5", "a", "+", "-" → key; empty if there is no such key. Ignores case.
std::optional<Key> key_from_name(std::string_view name);

/// The key for a key code of GLFW's key callback.
std::optional<Key> key_from_glfw(int code);

/// The characters typed for this frame. Kept separately because ImGui 1.86 cannot store every character.
std::u32string_view typed_characters();
void type_character(char32_t character);  ///< for the next begin_typing()
void begin_typing();                      ///< call once per frame, after its script

/// Sets up key input for an ImGui context without a platform backend.
void map_keys_for_offscreen();

/// Scripted input. Call these after the platform's new frame and before ImGui's.
void script_mouse(ImVec2 position, bool left_down, bool right_down);
void script_wheel(float lines);
void script_key(Key key, bool down);
void script_modifiers(bool ctrl, bool shift);
void script_text(std::string_view utf8);

}  // namespace glassformer::app
