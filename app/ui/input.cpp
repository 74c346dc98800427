#include "app/ui/input.h"

#include <algorithm>
#include <cctype>
#include <string>
#include <utility>
#include <vector>

#include "app/ui/imgui_versions.h"
#include "core/text/shown_bytes.h"
#include "core/text/utf8.h"

namespace glassformer::app {

namespace {

#if IMGUI_VERSION_NUM < 18700
using ImGuiIndex = int;  // of io.KeysDown: GLFW's key codes, with or without a window
#define GF_KEY(glfw_code, imgui_key) glfw_code, glfw_code
#else
using ImGuiIndex = ImGuiKey;
#define GF_KEY(glfw_code, imgui_key) glfw_code, ImGuiKey_##imgui_key
#endif

struct KeyRow {
    std::string name;
    int glfw;
    ImGuiIndex index;
};

/// In the order of enum Key. GLFW numbers digits and letters as in ASCII.
std::vector<KeyRow> key_rows() {
    std::vector<KeyRow> rows{
        {"Tab", GF_KEY(258, Tab)},
        {"Left", GF_KEY(263, LeftArrow)},
        {"Right", GF_KEY(262, RightArrow)},
        {"Up", GF_KEY(265, UpArrow)},
        {"Down", GF_KEY(264, DownArrow)},
        {"PageUp", GF_KEY(266, PageUp)},
        {"PageDown", GF_KEY(267, PageDown)},
        {"Home", GF_KEY(268, Home)},
        {"End", GF_KEY(269, End)},
        {"Insert", GF_KEY(260, Insert)},
        {"Delete", GF_KEY(261, Delete)},
        {"Backspace", GF_KEY(259, Backspace)},
        {"Space", GF_KEY(32, Space)},
        {"Enter", GF_KEY(257, Enter)},
        {"Escape", GF_KEY(256, Escape)},
        {"-", GF_KEY(45, Minus)},
        {"=", GF_KEY(61, Equal)},
        {",", GF_KEY(44, Comma)},
        {".", GF_KEY(46, Period)},
        {"/", GF_KEY(47, Slash)},
    };
    const auto add = [&](const std::string& name, int i, int glfw, ImGuiIndex index) {
        rows.push_back({name, glfw + i, static_cast<ImGuiIndex>(index + i)});
    };
    for (int i = 0; i < 10; ++i) add(std::to_string(i), i, GF_KEY(48, 0));
    for (int i = 0; i < 26; ++i) add(std::string(1, static_cast<char>('A' + i)), i, GF_KEY(65, A));
    for (int i = 0; i < 12; ++i) add("F" + std::to_string(i + 1), i, GF_KEY(290, F1));
    add("LeftCtrl", 0, GF_KEY(341, LeftCtrl));
    add("LeftShift", 0, GF_KEY(340, LeftShift));
    add("LeftAlt", 0, GF_KEY(342, LeftAlt));
    return rows;
}
#undef GF_KEY

const std::vector<KeyRow>& keys() {
    static const std::vector<KeyRow> rows = key_rows();
    return rows;
}

std::u32string typed, typed_next;

ImGuiIndex index_of(Key key) { return keys()[static_cast<int>(key)].index; }

bool same_ignoring_case(std::string_view a, std::string_view b) {
    const auto lower = [](char c) { return std::tolower(static_cast<unsigned char>(c)); };
    return std::ranges::equal(a, b, {}, lower, lower);
}

std::optional<Key> key_of(const auto& is_it) {
    const auto found = std::ranges::find_if(keys(), is_it);
    if (found == keys().end()) return std::nullopt;
    return static_cast<Key>(found - keys().begin());
}

}  // namespace

bool key_pressed(Key key, bool repeat) { return ImGui::IsKeyPressed(index_of(key), repeat); }
bool ctrl_down() { return ImGui::GetIO().KeyCtrl; }
bool shift_down() { return ImGui::GetIO().KeyShift; }
bool keys_are_commands() { return !ImGui::GetIO().WantTextInput && !ImGui::IsPopupOpen("", ImGuiPopupFlags_AnyPopup); }

std::optional<Key> key_from_name(std::string_view name) {
    if (name == "+") return Key::equal;  // the key that has it
    if (same_ignoring_case(name, "Esc")) return Key::escape;
    if (same_ignoring_case(name, "Return")) return Key::enter;
    return key_of([&](const KeyRow& row) { return same_ignoring_case(name, row.name); });
}

std::optional<Key> key_from_glfw(int code) {
    return key_of([&](const KeyRow& row) { return row.glfw == code; });
}

#if IMGUI_VERSION_NUM < 18700

void map_keys_for_offscreen() {
    int* map = ImGui::GetIO().KeyMap;
    const auto set = [&](ImGuiKey imgui_key, Key key) { map[imgui_key] = index_of(key); };
    set(ImGuiKey_Tab, Key::tab), set(ImGuiKey_LeftArrow, Key::left), set(ImGuiKey_RightArrow, Key::right);
    set(ImGuiKey_UpArrow, Key::up), set(ImGuiKey_DownArrow, Key::down), set(ImGuiKey_PageUp, Key::page_up);
    set(ImGuiKey_PageDown, Key::page_down), set(ImGuiKey_Home, Key::home), set(ImGuiKey_End, Key::end);
    set(ImGuiKey_Insert, Key::insert), set(ImGuiKey_Delete, Key::del), set(ImGuiKey_Backspace, Key::backspace);
    set(ImGuiKey_Space, Key::space), set(ImGuiKey_Enter, Key::enter), set(ImGuiKey_Escape, Key::escape);
    set(ImGuiKey_A, Key::a), set(ImGuiKey_C, Key::c), set(ImGuiKey_V, Key::v);
    set(ImGuiKey_X, Key::x), set(ImGuiKey_Y, Key::y), set(ImGuiKey_Z, Key::z);
}

void script_mouse(ImVec2 position, bool left_down, bool right_down) {
    ImGuiIO& io = ImGui::GetIO();
    io.MousePos = position;
    io.MouseDown[0] = left_down;
    io.MouseDown[1] = right_down;
}

void script_wheel(float lines) { ImGui::GetIO().MouseWheel += lines; }
void script_key(Key key, bool down) {
    ImGui::GetIO().KeysDown[index_of(key)] = down;
    if (key == Key::left_alt) ImGui::GetIO().KeyAlt = down;
}

void script_modifiers(bool ctrl, bool shift) {
    ImGuiIO& io = ImGui::GetIO();
    io.KeyCtrl = ctrl;
    io.KeyShift = shift;
}

#else

// A script sets the whole state in each frame, but Dear ImGui would spread quick changes over several frames.
void map_keys_for_offscreen() { ImGui::GetIO().ConfigInputTrickleEventQueue = false; }

void script_mouse(ImVec2 position, bool left_down, bool right_down) {
    ImGuiIO& io = ImGui::GetIO();
    io.AddMousePosEvent(position.x, position.y);
    io.AddMouseButtonEvent(0, left_down);
    io.AddMouseButtonEvent(1, right_down);
}

void script_wheel(float lines) { ImGui::GetIO().AddMouseWheelEvent(0, lines); }
void script_key(Key key, bool down) {
    ImGui::GetIO().AddKeyEvent(index_of(key), down);
    if (key == Key::left_alt) ImGui::GetIO().AddKeyEvent(alt_key, down);
}

void script_modifiers(bool ctrl, bool shift) {
    ImGui::GetIO().AddKeyEvent(ctrl_key, ctrl);
    ImGui::GetIO().AddKeyEvent(shift_key, shift);
}

#endif

std::u32string_view typed_characters() { return typed; }
void type_character(char32_t character) { typed_next += character; }
void begin_typing() { typed = std::exchange(typed_next, {}); }

void script_text(std::string_view utf8) {
    for (const char32_t character : code_points(as_utf8(utf8))) type_character(character);
}

}  // namespace glassformer::app
