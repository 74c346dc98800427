#pragma once

#include <initializer_list>
#include <span>
#include <string>
#include <string_view>

#include "app/ui/box.h"
#include "app/ui/items.h"
#include "app/ui/ui.h"

/// Drawing on the current ImGui window's draw list. Positions and sizes are screen pixels, so callers write ui.px(8).
/// Nothing here keeps state or reads input; controls.h does.
namespace glassformer::app::draw {

/// How text is aligned in its box, or about its position.
enum class Align { left, centre, right };

/// How a text looks.
struct TextStyle {
    FontRole font = FontRole::body;
    ImU32 colour = 0;  ///< 0: the theme's text colour
    Align align = Align::left;
};

/// Size of one line of `text`.
ImVec2 text_size(const Ui& ui, std::string_view text, FontRole font = FontRole::body);

/// Draws text with its line's top at `at.y`; `at.x` is its left, centre or right by `style.align`. Returns the width.
float text(const Ui& ui, ImVec2 at, std::string_view text, const TextStyle& style = {});

/// Draws text in a box: aligned horizontally, centred vertically, and shortened if it does not fit (a number to fewer
/// decimals or a power of ten, other text with an ellipsis; a translation may be narrowed instead). Returns true when
/// it was shortened (show the whole text in a tooltip).
bool text_in(const Ui& ui, const Box& box, std::string_view text, const TextStyle& style = {});

/// Like text_in(), with the whole text in a tooltip if it was shortened.
void text_told(const Ui& ui, const Box& box, std::string_view text, const TextStyle& style = {});

/// Draws text wrapped at `width`; returns its height. Lines break at spaces, and beside ideographs and kana.
float text_wrapped(const Ui& ui, ImVec2 at, float width, std::string_view text, const TextStyle& style = {});
/// The height that text_wrapped() needs.
float wrapped_height(const Ui& ui, float width, std::string_view text, FontRole font = FontRole::body);

/// For a text that is an item: its label, its value, and the tip shown once the pointer has rested on it.
struct TextItem {
    std::string_view label;
    ItemValue value = {};
    std::string_view tip = {};
};
/// text_in() and text_wrapped() that also register the text as an item.
bool label(const Ui& ui, const Box& box, std::string_view text, const TextStyle& style, const TextItem& item);
float label_wrapped(const Ui& ui, ImVec2 at, float width, std::string_view text, const TextStyle& style,
                    const TextItem& item);

/// The first of the texts, ordered from longest to shortest, that fits the width; else the last.
std::string_view first_fitting(const Ui& ui, float width, std::initializer_list<std::string_view> texts,
                               FontRole font = FontRole::body);

/// Draws text rotated by `degrees` (counter-clockwise, so 35 rises to the right) about `anchor`, the left end of its
/// middle line: for column labels. A `max_length` above 0 cuts it there with an ellipsis.
void text_rotated(const Ui& ui, ImVec2 anchor, float degrees, std::string_view text, const TextStyle& style = {},
                  float max_length = 0);

/// One part of a line of mixed fonts and colours, e.g. of a formula.
struct Run {
    std::string_view text;
    FontRole font = FontRole::body;
    ImU32 colour = 0;
    float rise = 0;  ///< as a share of the line height: 0.3 for a superscript, -0.25 for a subscript
};
/// Draws the runs one after another on one baseline; returns the width.
float text_runs(const Ui& ui, ImVec2 at, std::span<const Run> runs);

/// A white rounded panel with a hairline border; a non-zero `edge` adds a bar of that colour along its left side.
void card(const Ui& ui, const Box& box, ImU32 edge = 0);
/// The visible parts of the cards drawn in this frame, in drawing order.
std::span<const Box> cards_of_frame();
void rounded_box(const Ui& ui, const Box& box, ImU32 fill, ImU32 border = 0, float radius = 6, float thickness = 1);
/// The gold frame around the current selection.
void selection_frame(const Ui& ui, const Box& box, float radius = 3);
void horizontal_line(const Ui& ui, float x0, float x1, float y, ImU32 colour = 0);
void vertical_line(const Ui& ui, float x, float y0, float y1, ImU32 colour = 0);

/// A progress bar: `fraction` (0..1) of the box is filled with `colour`. No track is drawn if `track` is 0.
void bar(const Ui& ui, const Box& box, float fraction, ImU32 colour, ImU32 track = 0);

/// Small rounded cells, one per value, in the signed colours (full colour at |value| >= range), spread evenly over the
/// box. Returns the index under the mouse, or -1. `faded` below 1 lets the card show through (weak values).
int signed_strip(const Ui& ui, const Box& box, std::span<const float> values, float range, float faded = 1);

/// The box of cell `index` of `count` in a strip.
Box strip_cell(const Ui& ui, const Box& box, int index, int count);

/// Polylines through the points; `dash` and `gap` are pixels at 100 %.
void dashed_line(const Ui& ui, std::span<const ImVec2> points, ImU32 colour, float thickness, float dash = 5,
                 float gap = 3);
void line(const Ui& ui, std::span<const ImVec2> points, ImU32 colour, float thickness);

/// Icons are drawn rather than taken from a font: no font in Debian has all of them.
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
/// Draws an icon in a square of `size` pixels about `centre`.
void icon(const Ui& ui, Icon icon, ImVec2 centre, float size, ImU32 colour);

/// True if the mouse is over the box and over the current window (no popup in between).
bool hovered(const Box& box);
/// A small text card beside the box that it explains: below it, else above, right or left, so that the box stays
/// visible. Lines are split at '\n'; the first is bold. The first card of a frame wins. Registers "tooltip" and
/// "tooltip/anchor".
void tooltip(const Ui& ui, const Box& box, std::string_view text);
/// The same, beside the item under the mouse.
void tooltip(const Ui& ui, std::string_view text);
/// The same, but only after the mouse, which must be over the box, has rested there for 0.4 s: for words read often.
void tip(const Ui& ui, const Box& box, std::string_view text);
/// Where to place a card of `size` beside `box`: `gap` away from it and at least `edge` inside the screen.
ImVec2 beside(ImVec2 size, const Box& box, ImVec2 screen, float gap, float edge);

/// "+0.42" / "−1.08" with a true minus sign, as wide as the plus; "0.00" becomes "+0.00".
std::string signed_number(double value, int decimals = 2);

}  // namespace glassformer::app::draw
