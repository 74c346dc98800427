#include <algorithm>
#include <cmath>

#include "app/common/linked_cards.h"
#include "app/common/traced_value.h"
#include "app/language/tr.h"
#include "app/views/who_argued/argument_drawing.h"
#include "core/base/number_text.h"

namespace glassformer::app::views::who_argued {

namespace {

constexpr float bars_height = 26, widest_bar = 40;  // pixels at 100 %

/// What the bars of all parts share, such as their scale.
struct Bars {
    const Frame& frame;
    double largest;
    int slot, position;
};

/// Draws a bar on a baseline, and its number above it if there is room.
void draw_bar(const Ui& ui, const Box& box, double length, double largest, ImU32 colour, bool number) {
    const float line = ui.line(FontRole::small), middle = std::round(box.middle_x());
    const float half = std::min(ui.px(widest_bar), box.width() * 0.8f) / 2, base = box.max.y;
    const auto height = to_float(length / std::max(1e-9, largest)) * ui.px(bars_height);
    const float top = std::min(base - 1, std::round(base - height));
    draw::rounded_box(ui, {{middle - half, top}, {middle + half, base}}, colour, 0, 2);
    if (number)
        draw::text_in(ui, box.between_y(top - line, top), with_decimals(length, 1),
                      {FontRole::small, ui.theme->text_muted, draw::Align::centre});
}

void draw_norm(const Bars& bars, const StreamNorm& norm, const Box& box, int i) {
    const Frame& frame = bars.frame;
    const Ui& ui = frame.ui;
    const float line = ui.line(FontRole::small), width = box.width(), base = box.max.y - line;
    const std::string_view whole = norm_name(ui, norm);
    const Response r = click_area(ui, ui.items->of_card(bars.slot, "norm %d", i), box, norm.norm, whole);
    const Cell& lit = lit_cell(frame.state, bars.slot);
    if (r.hovered || (lit.node >= 0 && lit.node == norm.node)) draw::rounded_box(ui, box, ui.theme->hover, 0, 4);
    const float number = draw::text_size(ui, "00.0", FontRole::small).x, middle = box.middle_x();
    const float each = std::min(width / 2, std::max(number, ui.px(widest_bar)));
    if (i == 0) {  // nothing comes before it
        draw_bar(ui, {{middle - each / 2, box.min.y}, {middle + each / 2, base}}, norm.norm, bars.largest,
                 ui.theme->residual, each + 1 >= number);
    } else {
        draw_bar(ui, {{middle - each, box.min.y}, {middle, base}}, norm.norm, bars.largest, ui.theme->residual,
                 each + 1 >= number);
        const Box change{{middle, box.min.y}, {middle + each, base}};
        draw_bar(ui, change, norm.change, bars.largest, part_colour(*ui.theme, norm.kind), each + 1 >= number);
        ui.items->addf(change, norm.change, "%s/norm change %d", Frame::letter(bars.slot), i);
    }
    const bool fits = draw::text_size(ui, whole, FontRole::small).x <= width;
    const std::string_view name = fits ? whole : norm_name(ui, norm, true);
    if (draw::text_size(ui, name, FontRole::small).x <= width)
        draw::text_in(ui, box.below(base), name, {FontRole::small, ui.theme->text_muted, draw::Align::centre});
    if (!r.hovered) return;
    const Cell cell = largest_cell(*frame.trace(bars.slot), norm.node, bars.position);
    const std::string opened = frame.cell_name(bars.slot, cell), length = with_decimals(norm.norm, 4);
    const std::string text =
        i == 0 ? filled(tr("|x| after {1}  {2}\nIts largest number is {3}"), {whole, length, opened})
               : filled(tr("|x| after {1}  {2}\n|Δ|  {3}: how far this part moved it\nIts largest number is {4}"),
                        {whole, length, with_decimals(norm.change, 4), opened});
    point_at(frame, bars.slot, cell, r.clicked, text);
}

/// Says what the bars are; returns the box that is left for them.
Box draw_title(const Frame& frame, const Box& box, bool low, int slot, int position) {
    const Ui& ui = frame.ui;
    const float line = ui.line(FontRole::small);
    const std::string word = frame.word(slot, position);
    const std::string_view whole = ui.items->format(
        tr("|x|: length of the residual stream of “%s” after each part; |Δ|: how far the part moved it"), word.c_str());
    const std::string_view shorter = ui.items->format(tr("Stream of “%s”: length |x|, moved by |Δ|"), word.c_str()),
                           brief = "|x|, |Δ|";
    const float beside = draw::text_size(ui, brief, FontRole::small).x + ui.px(4);
    const ImVec2 max{low ? box.min.x + beside : box.max.x, low ? box.max.y - line : box.min.y + line};
    const Box at{{box.min.x, max.y - line}, max};
    const std::string_view title =
        low ? brief : draw::first_fitting(ui, at.width(), {whole, shorter, brief}, FontRole::small);
    draw::text_in(ui, at, title, {FontRole::small, ui.theme->text_muted});
    if (title != whole && draw::hovered(at)) draw::tooltip(ui, whole);
    return low ? box.right_of(max.x) : box.below(max.y + ui.px(2));
}

}  // namespace

std::string_view norm_name(const Ui& ui, const StreamNorm& norm, bool brief) {
    const char* const part = tr(brief ? norm.brief : norm.part);
    return norm.block < 0 ? ui.items->format("%s", part) : ui.items->format("%d %s", norm.block, part);
}

float stream_norms_height(const Ui& ui, bool low) {
    const float bars = 2 * ui.line(FontRole::small) + ui.px(bars_height);
    return low ? bars : bars + ui.line(FontRole::small) + ui.px(2);
}

void draw_stream_norms(const Frame& frame, std::span<const StreamNorm> norms, const Box& box, bool low, int slot,
                       int position) {
    const Box inside = draw_title(frame, box, low, slot, position);
    Bars bars{frame, 0, slot, position};
    for (const StreamNorm& norm : norms) bars.largest = std::max({bars.largest, norm.norm, norm.change});
    const float step = inside.width() / to_float(norms.size());
    for (int i = 0; i < int_size(norms); ++i) {
        const float x = inside.min.x + step * to_float(i);
        draw_norm(bars, norms[i], inside.between_x(x, x + step), i);
    }
}

}  // namespace glassformer::app::views::who_argued
