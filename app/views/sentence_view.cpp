#include <algorithm>
#include <cmath>

#include "app/views/layer_norm_view.h"
#include "app/views/scroll_area.h"
#include "app/views/sentence_picker.h"
#include "app/views/sentence_views.h"
#include "app/views/views.h"
#include "app/views/worksheet.h"

namespace glassformer::app {

namespace {

// Pixels at 100 %.
constexpr float row_least = 20, row_most = 26, cell_least = 14, cell_most = 24, cell_limit = 32, section_gap = 8;
constexpr float view_side = 12;      // free space left and right of a view
constexpr float side_by_side = 700;  // from this width on, where the height is short, the pattern stands beside

/// Heights of a line of the worksheet and of the pattern.
struct Rows {
    float row, cell;
};

float stacked_height(const Frame& frame, const HeadTrace& head, const Rows& rows) {
    return worksheet_size(frame.ui, rows.row).total(head.n) + frame.ui.px(section_gap) + pattern_heading(frame, head) +
           rows.cell * static_cast<float>(head.n) + frame.ui.px(4);
}

/// A short sentence leaves room: the pattern takes it.
Rows grown(const Frame& frame, const HeadTrace& head, Rows rows, float height) {
    const float spare = height - stacked_height(frame, head, rows), n = static_cast<float>(head.n);
    rows.cell = std::min(rows.cell + std::floor(spare / n), std::floor(frame.ui.scale * cell_limit));
    return rows;
}

/// The tallest rows that let everything be seen at once; the lowest when nothing does (then the card scrolls).
Rows stacked_rows(const Frame& frame, const HeadTrace& head, float height) {
    constexpr int steps = 20;
    for (int step = steps; step >= 0; --step) {
        const float t = static_cast<float>(step) / steps;
        const Rows rows{std::floor(frame.ui.scale * std::lerp(row_least, row_most, t)),
                        std::floor(frame.ui.scale * std::lerp(cell_least, cell_most, t))};
        if (stacked_height(frame, head, rows) <= height) return step == steps ? grown(frame, head, rows, height) : rows;
        if (step == 0) return rows;
    }
    return {};
}

/// One under the other; returns the bottom.
float draw_stacked(const Frame& frame, const HeadTrace& head, const Box& box, float height) {
    const Ui& ui = frame.ui;
    const Rows rows = stacked_rows(frame, head, height);
    const float needed = stacked_height(frame, head, rows);
    const float spare = std::clamp((height - needed) / 2, 0.0f, ui.px(16));
    draw_worksheet(frame, head, box, rows.row);
    const float y = box.min.y + worksheet_size(ui, rows.row).total(head.n) + ui.px(section_gap) + spare;
    const PatternLayout layout = pattern_layout(frame, head, {{box.min.x, y}, box.max}, rows.cell);
    draw_pattern(frame, head, layout);
    draw_layer_norm(frame, head, layout);
    return box.min.y + needed + spare;
}

/// One beside the other, each as tall as it likes.
float draw_beside(const Frame& frame, const HeadTrace& head, const Box& box, float height) {
    const Ui& ui = frame.ui;
    const float n = static_cast<float>(head.n), middle = std::round(box.min.x + box.width() * 0.54f);
    const float fixed = worksheet_size(ui, 0).total(0) + ui.px(12), heading = pattern_heading(frame, head);
    const float row = std::clamp(std::floor((height - fixed) / (n + 1)), ui.px(row_least), ui.px(32));
    const float cell = std::clamp(std::floor((height - heading) / n), ui.px(cell_least), ui.px(30));
    draw_worksheet(frame, head, {box.min, {middle - ui.px(16), box.max.y}}, row);
    const PatternLayout layout = pattern_layout(frame, head, {{middle + ui.px(8), box.min.y}, box.max}, cell);
    draw_pattern(frame, head, layout);
    draw_layer_norm(frame, head, layout);
    return std::max(box.min.y + worksheet_size(ui, row).total(head.n), layout.grid.y + cell * n);
}

void draw_nothing(const Frame& frame, const Box& box) {
    const float line = frame.ui.line(FontRole::small);
    const float y = std::max(box.min.y, (box.min.y + box.max.y) / 2 - line);
    draw::text_in(frame.ui, {box.min.x, y}, {box.max.x, y + line},
                  "Pick a sample, or type a sentence of up to 13 known words.",
                  {FontRole::small, frame.ui.theme->text_muted, draw::Align::centre});
}

}  // namespace

void draw_attention_view(const Frame& frame, const Box& box, int slot) {
    const Ui& ui = frame.ui;
    const float side = ui.px(view_side);
    const ImVec2 size{std::max(1.0f, box.width()), std::max(1.0f, box.height())};
    ImGui::SetCursorScreenPos(box.min);
    ImGui::BeginChild(slot == 0 ? "##sentence A" : "##sentence B", size, false,
                      ImGuiWindowFlags_NoNav | ImGuiWindowFlags_NoBackground);
    const ImVec2 at = ImGui::GetCursorScreenPos();
    const Box inside{{at.x + side, at.y + ui.px(2)}, {at.x + size.x - side, at.y + size.y}};
    const HeadTrace head(frame, *frame.trace(slot), slot);
    const std::size_t first_item = ui.items->all().size();
    const float height = size.y - ui.px(6);
    const Rows full{std::floor(ui.scale * row_most), std::floor(ui.scale * cell_most)};
    const bool beside = inside.width() >= ui.px(side_by_side) && stacked_height(frame, head, full) > height;
    const float bottom = beside ? draw_beside(frame, head, inside, height) : draw_stacked(frame, head, inside, height);
    ImGui::SetCursorScreenPos({at.x, bottom + ui.px(2)});
    ImGui::Dummy({1, 1});
    scroll_to_revealed(ui, box, first_item);
    ImGui::EndChild();
}

void draw_sentence(const Frame& frame, const Box& box, int slot) {
    const Ui& ui = frame.ui;
    draw::card(ui, box.min, box.max, slot == 0 ? ui.theme->sense_a : ui.theme->sense_b);
    const float side = ui.px(view_side), left = ui.px(6);
    const Box top{{box.min.x + left + side, box.min.y + ui.px(10)}, {box.max.x - side, box.max.y}};
    const float y = draw_sentence_picker(frame, top, slot) + ui.px(8);
    const auto view = static_cast<std::size_t>(frame.state.view);
    if (frame.trace(slot))
        sentence_views()[view].draw(frame, {{box.min.x + left, y}, {box.max.x, box.max.y - ui.px(6)}}, slot);
    else
        draw_nothing(frame, {{top.min.x, y}, {top.max.x, box.max.y}});
}

}  // namespace glassformer::app
