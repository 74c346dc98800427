#pragma once

#include <initializer_list>
#include <span>
#include <string>
#include <string_view>

#include "app/ui/box.h"
#include "app/ui/items.h"
#include "app/ui/ui.h"

/// Drawing on the current ImGui window's draw list. Positions are screen pixels; sizes are screen pixels too, so a
/// caller writes ui.px(8). Nothing here keeps state or reads input; controls.h does.
namespace glassformer::app::draw {

/// Where text is in its box, or about its place.
enum class Align { left, centre, right };

/// How a text looks.
struct TextStyle {
    FontRole font = FontRole::body;
    ImU32 colour = 0;  ///< 0: the theme's text colour
    Align align = Align::left;
};

/// Size of one line of `text`.
ImVec2 text_size(const Ui& ui, std::string_view text, FontRole font = FontRole::body);

/// Text with its line's top at `at.y`; `at.x` is its left, centre or right by `style.align`. Returns the width.
float text(const Ui& ui, ImVec2 at, std::string_view text, const TextStyle& style = {});

/// Text inside a box: aligned in it, vertically centred, and cut with an ellipsis when it does not fit. Returns true
/// when it was cut (show the whole in a tooltip).
bool text_in(const Ui& ui, const Box& box, std::string_view text, const TextStyle& style = {});

/// text_in(); the whole is told at the mouse where it was cut.
void text_told(const Ui& ui, const Box& box, std::string_view text, const TextStyle& style = {});

/// Text wrapped at `width`; returns the height taken. Break words at spaces.
float text_wrapped(const Ui& ui, ImVec2 at, float width, std::string_view text, const TextStyle& style = {});
/// The height that text_wrapped() takes.
float wrapped_height(const Ui& ui, float width, std::string_view text, FontRole font = FontRole::body);

/// Of a text that is an item: its label and value, and what is told once the pointer has rested on it.
struct TextItem {
    std::string_view label;
    ItemValue value = {};
    std::string_view tip = {};
};
/// text_in() and text_wrapped() of such a text. Its item says what it shows.
bool label(const Ui& ui, const Box& box, std::string_view text, const TextStyle& style, const TextItem& item);
float label_wrapped(const Ui& ui, ImVec2 at, float width, std::string_view text, const TextStyle& style,
                    const TextItem& item);

/// The first of the texts, from the longest to the briefest, that fits the width; else the last.
std::string_view first_fitting(const Ui& ui, float width, std::initializer_list<std::string_view> texts,
                               FontRole font = FontRole::body);

/// Text turned by `degrees` (counter-clockwise, so 35 rises to the right) about `anchor`, the left end of its middle
/// line: for column labels. Cut with an ellipsis at `max_length` when that is above 0.
void text_rotated(const Ui& ui, ImVec2 anchor, float degrees, std::string_view text, const TextStyle& style = {},
                  float max_length = 0);

/// One piece of a line of mixed fonts and colours, e.g. a formula.
struct Run {
    std::string_view text;
    FontRole font = FontRole::body;
    ImU32 colour = 0;
    float rise = 0;  ///< of a line's height: 0.3 for a superscript, -0.25 for a subscript
};
/// Draws the runs one after another on one baseline; returns the width.
float text_runs(const Ui& ui, ImVec2 at, std::span<const Run> runs);

/// A white rounded panel with a hairline border; `edge` (not 0) draws a coloured bar along its left side.
void card(const Ui& ui, const Box& box, ImU32 edge = 0);
/// Where cards have been drawn in this frame, as far as they are in sight, in the order of drawing.
std::span<const Box> cards_of_frame();
void rounded_box(const Ui& ui, const Box& box, ImU32 fill, ImU32 border = 0, float radius = 6, float thickness = 1);
/// The gold frame around what is chosen.
void selection_frame(const Ui& ui, const Box& box, float radius = 3);
void horizontal_line(const Ui& ui, float x0, float x1, float y, ImU32 colour = 0);
void vertical_line(const Ui& ui, float x, float y0, float y1, ImU32 colour = 0);

/// A bar in its track: `fraction` 0..1 of the box is filled with `colour`. A track of 0 draws none.
void bar(const Ui& ui, const Box& box, float fraction, ImU32 colour, ImU32 track = 0);

/// Small rounded cells, one a value, in the signed colours (full colour at |value| >= range), spread evenly over the
/// box. Returns the index under the mouse, or -1. `faded` below 1 lets the card shine through (weak values).
int signed_strip(const Ui& ui, const Box& box, std::span<const float> values, float range, float faded = 1);

/// Box of cell `index` of `count` in a strip.
Box strip_cell(const Ui& ui, const Box& box, int index, int count);

/// Lines through the points, one after another; a dash and its gap are pixels at 100 %.
void dashed_line(const Ui& ui, std::span<const ImVec2> points, ImU32 colour, float thickness, float dash = 5,
                 float gap = 3);
void line(const Ui& ui, std::span<const ImVec2> points, ImU32 colour, float thickness);

/// Icons are drawn, not taken from a font: no font of Debian's has all of them.
enum class Icon {
    play,
    pause,
    step_back,
    step_forward,
    to_start,
    to_end,
    restart,
    check,
    close,
    menu,
    chevron_down,
    chevron_right,
    plus,
    search
};
/// In a square of `size` pixels about `centre`.
void icon(const Ui& ui, Icon icon, ImVec2 centre, float size, ImU32 colour);

/// True when the mouse is over the box and the current window (no popup in between).
bool hovered(const Box& box);
/// A small card of text beside the box that it explains: below it, else above, right or left of it, so that it is not
/// covered. Lines are split at '\n', the first is bold. The first of a frame wins. Registers "tooltip" and its anchor.
void tooltip(const Ui& ui, const Box& box, std::string_view text);
/// The same beside what the mouse is on.
void tooltip(const Ui& ui, std::string_view text);
/// The same once the mouse, which is on the box, has rested there for 0.4 s: for words that are read again and again.
void tip(const Ui& ui, const Box& box, std::string_view text);
/// Where a card of `size` is beside the box `min`–`max`, `gap` away from it and `edge` inside the screen.
ImVec2 beside(ImVec2 size, const Box& box, ImVec2 screen, float gap, float edge);

/// "+0.42" / "−1.08" with a real minus sign, as wide as the plus; "0.00" is "+0.00".
std::string signed_number(double value, int decimals = 2);

}  // namespace glassformer::app::draw
