#include "app/views/who_argued/stream_norms.h"

#include <algorithm>
#include <cmath>

#include "app/common/linked_cards.h"
#include "app/common/traced_value.h"
#include "app/language/tr.h"
#include "app/views/who_argued/waterfall.h"
#include "core/base/number_text.h"

namespace glassformer::app::views::who_argued {

namespace {

constexpr float bars_height = 26, widest_bar = 40;  // pixels at 100 %

void draw_norm(const Frame& frame, const StreamNorm& norm, const Box& box, double largest, int slot, int position,
               int i) {
    const Ui& ui = frame.ui;
    const float line = ui.line(FontRole::small), width = box.width();
    const std::string_view whole = norm_name(ui, norm);
    const Response r =
        click_area(ui, ui.items->format("%s/norm %d", Frame::letter(slot), i), box.min, box.max, norm.norm, whole);
    const Cell& lit = lit_cell(frame.state, slot);
    if (r.hovered || (lit.node >= 0 && lit.node == norm.node))
        draw::rounded_box(ui, box.min, box.max, ui.theme->hover, 0, 4);
    const float half = std::min(ui.px(widest_bar), width * 0.7f) / 2, middle = std::round((box.min.x + box.max.x) / 2);
    const float base = box.max.y - line;
    const float height = static_cast<float>(norm.norm / std::max(1e-9, largest)) * ui.px(bars_height);
    const float top = std::min(base - 1, std::round(base - height));
    draw::rounded_box(ui, {middle - half, top}, {middle + half, base}, ui.theme->residual, 0, 2);
    const bool numbers = width >= draw::text_size(ui, "00.0", FontRole::small).x + ui.px(2);
    const draw::TextStyle muted{FontRole::small, ui.theme->text_muted, draw::Align::centre};
    if (numbers) draw::text_in(ui, {box.min.x, top - line}, {box.max.x, top}, with_decimals(norm.norm, 1), muted);
    const bool fits = draw::text_size(ui, whole, FontRole::small).x <= width;
    const std::string_view name = fits ? whole : norm_name(ui, norm, true);
    if (draw::text_size(ui, name, FontRole::small).x <= width)
        draw::text_in(ui, {box.min.x, base}, box.max, name, muted);
    if (!r.hovered) return;
    const Cell cell = largest_cell(*frame.trace(slot), norm.node, position);
    const std::string opened = frame.cell_name(slot, cell);
    point_at(frame, slot, cell, r.clicked,
             ui.items->format(tr("|x| after %s  %s\nIts largest number is %s"), whole.data(),
                              with_decimals(norm.norm, 4).c_str(), opened.c_str()));
}

/// Says what the bars are; returns the box that is left for them.
Box draw_title(const Frame& frame, const Box& box, bool low, int slot, int position) {
    const Ui& ui = frame.ui;
    const float line = ui.line(FontRole::small);
    const std::string word = frame.word(slot, position);
    const std::string_view whole =
        ui.items->format(tr("|x|, the length of the stream of “%s” after each part"), word.c_str());
    const float beside = draw::text_size(ui, "|x|", FontRole::small).x + ui.px(4);
    const ImVec2 max{low ? box.min.x + beside : box.max.x, low ? box.max.y - line : box.min.y + line};
    const bool cut = draw::text_in(ui, {box.min.x, max.y - line}, max, low ? std::string_view("|x|") : whole,
                                   {FontRole::small, ui.theme->text_muted});
    if ((low || cut) && draw::hovered({box.min.x, max.y - line}, max)) draw::tooltip(ui, whole);
    return low ? Box{{max.x, box.min.y}, box.max} : Box{{box.min.x, max.y + ui.px(2)}, box.max};
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
    const Box bars = draw_title(frame, box, low, slot, position);
    double largest = 0;
    for (const StreamNorm& norm : norms) largest = std::max(largest, norm.norm);
    const float step = bars.width() / static_cast<float>(norms.size());
    for (int i = 0; i < static_cast<int>(norms.size()); ++i) {
        const float x = bars.min.x + step * static_cast<float>(i);
        draw_norm(frame, norms[static_cast<std::size_t>(i)], {{x, bars.min.y}, {x + step, bars.max.y}}, largest, slot,
                  position, i);
    }
}

}  // namespace glassformer::app::views::who_argued
