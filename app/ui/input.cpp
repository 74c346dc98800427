#include "app/ui/input.h"

#include <array>
#include <cctype>
#include <string>
#include <utility>

#include "app/ui/imgui_versions.h"
#include "core/text/shown_bytes.h"
#include "core/text/utf8.h"

namespace glassformer::app {

namespace {

struct KeyRow {
    const char* name;
    int glfw;
#if IMGUI_VERSION_NUM < 18700
    int index;  // in io.KeysDown: GLFW's key codes, with or without a window
#else
    ImGuiKey index;
#endif
};

#if IMGUI_VERSION_NUM < 18700
#define GF_KEY(glfw_code, imgui_key) glfw_code, glfw_code
#else
#define GF_KEY(glfw_code, imgui_key) glfw_code, ImGuiKey_##imgui_key
#endif

// In the order of enum Key.
constexpr std::array<KeyRow, static_cast<size_t>(Key::count)> keys = {{
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
    {"0", GF_KEY(48, 0)},
    {"1", GF_KEY(49, 1)},
    {"2", GF_KEY(50, 2)},
    {"3", GF_KEY(51, 3)},
    {"4", GF_KEY(52, 4)},
    {"5", GF_KEY(53, 5)},
    {"6", GF_KEY(54, 6)},
    {"7", GF_KEY(55, 7)},
    {"8", GF_KEY(56, 8)},
    {"9", GF_KEY(57, 9)},
    {"A", GF_KEY(65, A)},
    {"B", GF_KEY(66, B)},
    {"C", GF_KEY(67, C)},
    {"D", GF_KEY(68, D)},
    {"E", GF_KEY(69, E)},
    {"F", GF_KEY(70, F)},
    {"G", GF_KEY(71, G)},
    {"H", GF_KEY(72, H)},
    {"I", GF_KEY(73, I)},
    {"J", GF_KEY(74, J)},
    {"K", GF_KEY(75, K)},
    {"L", GF_KEY(76, L)},
    {"M", GF_KEY(77, M)},
    {"N", GF_KEY(78, N)},
    {"O", GF_KEY(79, O)},
    {"P", GF_KEY(80, P)},
    {"Q", GF_KEY(81, Q)},
    {"R", GF_KEY(82, R)},
    {"S", GF_KEY(83, S)},
    {"T", GF_KEY(84, T)},
    {"U", GF_KEY(85, U)},
    {"V", GF_KEY(86, V)},
    {"W", GF_KEY(87, W)},
    {"X", GF_KEY(88, X)},
    {"Y", GF_KEY(89, Y)},
    {"Z", GF_KEY(90, Z)},
    {"F1", GF_KEY(290, F1)},
    {"F2", GF_KEY(291, F2)},
    {"F3", GF_KEY(292, F3)},
    {"F4", GF_KEY(293, F4)},
    {"F5", GF_KEY(294, F5)},
    {"F6", GF_KEY(295, F6)},
    {"F7", GF_KEY(296, F7)},
    {"F8", GF_KEY(297, F8)},
    {"F9", GF_KEY(298, F9)},
    {"F10", GF_KEY(299, F10)},
    {"F11", GF_KEY(300, F11)},
    {"F12", GF_KEY(301, F12)},
    {"LeftCtrl", GF_KEY(341, LeftCtrl)},
    {"LeftShift", GF_KEY(340, LeftShift)},
    {"LeftAlt", GF_KEY(342, LeftAlt)},
}};
#undef GF_KEY

std::u32string typed, typed_next;

auto index_of(Key key) { return keys[static_cast<std::size_t>(key)].index; }

bool same_ignoring_case(std::string_view a, std::string_view b) {
    if (a.size() != b.size()) return false;
    for (size_t i = 0; i < a.size(); ++i) {
        if (std::tolower(static_cast<unsigned char>(a[i])) != std::tolower(static_cast<unsigned char>(b[i]))) {
            return false;
        }
    }
    return true;
}

}  // namespace

bool key_pressed(Key key, bool repeat) { return ImGui::IsKeyPressed(index_of(key), repeat); }
bool ctrl_down() { return ImGui::GetIO().KeyCtrl; }
bool shift_down() { return ImGui::GetIO().KeyShift; }
bool keys_are_commands() { return !ImGui::GetIO().WantTextInput && !ImGui::IsPopupOpen("", ImGuiPopupFlags_AnyPopup); }

std::optional<Key> key_from_name(std::string_view name) {
    if (name == "+") return Key::equal;  // the key that carries it
    if (same_ignoring_case(name, "Esc")) return Key::escape;
    if (same_ignoring_case(name, "Return")) return Key::enter;
    for (size_t i = 0; i < keys.size(); ++i) {
        if (same_ignoring_case(name, keys[i].name)) return static_cast<Key>(i);
    }
    return std::nullopt;
}

std::optional<Key> key_from_glfw(int code) {
    for (size_t i = 0; i < keys.size(); ++i)
        if (keys[i].glfw == code) return static_cast<Key>(i);
    return std::nullopt;
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

// A script says what is down in each frame; of people's input Dear ImGui spreads quick changes over several.
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
