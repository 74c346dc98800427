#pragma once

#include <optional>
#include <span>
#include <string>
#include <string_view>

#include "app/ui/draw.h"

/// Controls in the app's look: clickable, in the focus order, and registered as items under their labels.
namespace glassformer::app {

/// How prominent a button is, and in which colour.
enum class Tone {
    plain,      ///< white with a border
    quiet,      ///< grey, no border (a drop-down, a secondary choice)
    attention,  ///< faint purple
    primary,    ///< purple with white text
    good,       ///< faint green (a badge)
    danger,     ///< faint red
    bare,       ///< nothing until hovered
};

/// How a button looks; the default is a plain one.
struct ButtonStyle {
    Tone tone = Tone::plain;
    bool selected = false;  ///< the selected one in a row: purple with white text
    bool gold = false;      ///< the chosen token: gold frame and tint
    bool enabled = true;    ///< a disabled button is faint and not clickable, but still an item
    FontRole font = FontRole::body;
    float radius = 6;  ///< pixels at 100 %; 999 is a pill
    ImU32 fill = 0;    ///< overrides the tone's fill (a token coloured by its weight); the text keeps its contrast
    std::string_view tooltip = {};
    std::optional<draw::Icon> icon = {};  ///< before the text, or alone if the text is empty
    draw::Align align = draw::Align::centre;
    bool content = false;  ///< belongs to the visualisation, such as a word: drawn even while controls are hidden
};

/// What happened to a control in this frame.
struct Response {
    bool clicked = false;  ///< left click, or Enter / Space while focused
    bool double_clicked = false;
    bool right_clicked = false;
    bool hovered = false;
    bool held = false;  ///< mouse button down on it
    explicit operator bool() const { return clicked; }
};

/// An invisible clickable area, registered under `label`.
Response click_area(const Ui& ui, std::string_view label, const Box& box, const ItemValue& value = {},
                    std::string_view text = {}, bool enabled = true);

/// Like click_area(), for what can be dragged: a finger that moves on it drags, even where it would scroll elsewhere.
Response drag_area(const Ui& ui, std::string_view label, const Box& box, const ItemValue& value = {},
                   std::string_view text = {});

/// Like click_area(), with a hand as the mouse cursor.
Response link_area(const Ui& ui, std::string_view label, const Box& box, const ItemValue& value = {},
                   std::string_view text = {}, bool enabled = true);

/// A button that fills the box. `label` names the item, `text` is shown. Item value: 1 if selected or gold, else 0.
Response button(const Ui& ui, std::string_view label, const Box& box, std::string_view text,
                const ButtonStyle& style = {});

/// A bare button with a cross, which closes or ends something.
Response close_button(const Ui& ui, std::string_view label, const Box& box, std::string_view tooltip);

/// A button at `at`, as wide as its text needs and `height` pixels high; moves `at.x` past the button plus `gap`.
Response chip(const Ui& ui, std::string_view label, ImVec2& at, float height, std::string_view text,
              const ButtonStyle& style = {}, float gap = 6);
/// The width that chip() needs.
float chip_width(const Ui& ui, std::string_view text, const ButtonStyle& style = {});

/// A row of choices in one frame; items are "label/choice", in English. The choices are shown translated unless `shown`
/// gives the texts (for data, or texts with numbers in them). Returns true when `selected` changes.
bool segmented(const Ui& ui, std::string_view label, const Box& box, std::span<const std::string_view> choices,
               int& selected, std::span<const std::string_view> shown = {});

/// The same for two choices; `second` is true if the second one is selected.
bool segmented(const Ui& ui, std::string_view label, const Box& box, std::span<const std::string_view, 2> choices,
               bool& second);

/// A check box with its text to the right. Returns true when `on` changes. The item value is 0 or 1.
bool checkbox(const Ui& ui, std::string_view label, ImVec2 at, std::string_view text, bool& on);

/// A slider: drag it, click on the track, or press the left and right arrows while it has the focus. Returns true when
/// `value` changes. `shown`, if not empty, is written to its right. The item value is `value`.
bool slider(const Ui& ui, std::string_view label, const Box& box, float& value, float low, float high,
            std::string_view shown = {});

/// A button that opens a list of choices below or above it (kept on screen; long lists scroll). Items are
/// "label/choice", in English. `shown`, on the button, and the choices are translated unless `shown_choices` gives
/// their texts (for data, or texts with numbers); then `shown` is used as it is. Returns the index chosen in this
/// frame, or -1.
int dropdown(const Ui& ui, std::string_view label, const Box& box, std::string_view shown,
             std::span<const std::string_view> choices, int selected = -1,
             std::span<const std::string_view> shown_choices = {});

/// When entering a field selects its whole text, so that typing replaces it. Otherwise a click places the caret.
enum class SelectAll { unless_clicked, always, never };
/// `stays` is for input that may be rejected: the field keeps the keyboard until it is closed.
enum class OnEnter { leaves, stays };

/// A text field in the app's look. Returns true in each frame in which its text changes. Tab moves to the next field.
/// `submitted`, if given, is set on Enter, which then leaves the field or selects all of it.
bool text_field(const Ui& ui, std::string_view label, const Box& box, std::string& text, std::string_view hint = {},
                bool* submitted = nullptr, SelectAll select_all = SelectAll::unless_clicked,
                OnEnter on_enter = OnEnter::leaves);
/// True if the text field with that label has the keyboard.
bool is_typed_into(const Ui& ui, std::string_view label);

}  // namespace glassformer::app
