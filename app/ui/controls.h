#pragma once

#include <optional>
#include <span>
#include <string>
#include <string_view>

#include "app/ui/draw.h"

/// Controls: drawn in our look, clickable, in the focus order, and registered as items under their label.
namespace glassformer::app {

/// How loud a button is, and in which colour.
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
    bool selected = false;  ///< the chosen one of a row: purple with white text
    bool gold = false;      ///< the chosen token: gold frame and tint
    bool enabled = true;    ///< a disabled one is faint and not clickable, but still an item
    FontRole font = FontRole::body;
    float radius = 6;  ///< pixels at 100 %; 999 is a pill
    ImU32 fill = 0;    ///< overrides the tone's fill (a token coloured by its weight); text follows for contrast
    std::string_view tooltip = {};
    std::optional<draw::Icon> icon = {};  ///< before the text, or alone when the text is empty
    draw::Align align = draw::Align::centre;
    bool content = false;  ///< a part of the picture that can be pressed, as a word is: drawn where controls are hidden
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

/// Invisible click area, registered under `label`.
Response click_area(const Ui& ui, std::string_view label, const Box& box, const ItemValue& value = {},
                    std::string_view text = {}, bool enabled = true);

/// The same, and the mouse's cursor says that it can be clicked.
Response link_area(const Ui& ui, std::string_view label, const Box& box, const ItemValue& value = {},
                   std::string_view text = {}, bool enabled = true);

/// A button over the whole box. `label` names the item, `text` is shown. value is 1 when selected or gold, else 0.
Response button(const Ui& ui, std::string_view label, const Box& box, std::string_view text,
                const ButtonStyle& style = {});

/// A button as wide as its text at `at`, `height` pixels high; moves `at.x` past it plus `gap`.
Response chip(const Ui& ui, std::string_view label, ImVec2& at, float height, std::string_view text,
              const ButtonStyle& style = {}, float gap = 6);
/// Width that chip() would take.
float chip_width(const Ui& ui, std::string_view text, const ButtonStyle& style = {});

/// A row of choices in one frame; items are "label/choice", in English. They are shown translated; where they are data,
/// or have numbers in them, `shown` says how. Returns true when `selected` changed.
bool segmented(const Ui& ui, std::string_view label, const Box& box, std::span<const std::string_view> choices,
               int& selected, std::span<const std::string_view> shown = {});

/// The same of two choices: whether the second one is on.
bool segmented(const Ui& ui, std::string_view label, const Box& box, std::span<const std::string_view, 2> choices,
               bool& second);

/// A check box with its text to the right; returns true when `on` changed. Item value is 0 or 1.
bool checkbox(const Ui& ui, std::string_view label, ImVec2 at, std::string_view text, bool& on);

/// A slider: drag or click on the track; left and right arrows while focused. Returns true when `value` changed.
/// `shown` is written to its right when not empty. Item value is `value`.
bool slider(const Ui& ui, std::string_view label, const Box& box, float& value, float low, float high,
            std::string_view shown = {});

/// A button that opens a list of choices below it (kept on screen, scrolled when long); items are "label/choice", in
/// English. `shown`, on the button, and the choices are shown translated; where they are data, or have numbers in them,
/// `shown_choices` says how, and `shown` stands as it is. Returns the index chosen in this frame, or -1.
int dropdown(const Ui& ui, std::string_view label, const Box& box, std::string_view shown,
             std::span<const std::string_view> choices, int selected = -1,
             std::span<const std::string_view> shown_choices = {});

/// When the whole text of a field is selected as it is entered, so that typing replaces it. A click puts the caret
/// where it is, else.
enum class SelectAll { unless_clicked, always, never };
/// `stays` is for what may be refused: keys are for the field until it is closed.
enum class OnEnter { leaves, stays };

/// A text field in our look; returns true while its text changes. Tab goes to the next one. `submitted` (if given) is
/// set on Enter, which then leaves the field or selects all of it.
bool text_field(const Ui& ui, std::string_view label, const Box& box, std::string& text, std::string_view hint = {},
                bool* submitted = nullptr, SelectAll select_all = SelectAll::unless_clicked,
                OnEnter on_enter = OnEnter::leaves);
/// Whether the text field of that label has the keyboard.
bool is_typed_into(const Ui& ui, std::string_view label);

}  // namespace glassformer::app
