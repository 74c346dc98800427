#include <algorithm>

#include "app/common/hidden_by_quiz.h"
#include "app/common/lesson_secrets.h"
#include "app/common/traced_value.h"
#include "app/language/tr.h"
#include "app/panels/explanation/explanation_panel.h"
#include "app/ui/scroll_page.h"
#include "core/base/number_text.h"

namespace glassformer::app {

namespace {

constexpr float cell_least = 62, index_width = 44, button_height = 24;  // pixels at 100 %
constexpr int decimals = 4;

/// The user's choice, kept from number to number.
struct VectorShown {
    bool open = false;
};

/// Returns the length of the vector that contains the number; 1 if the number stands alone.
std::int64_t vector_length(const ExplanationPanel& panel) {
    const Shape& shape = panel.trace.shape(panel.x.at.cell.node);
    return shape.rank() == 0 ? 1 : shape.back();
}

/// Returns the first cell of the vector that contains the cell, along the last axis.
Cell first_of(const ExplanationPanel& panel) {
    const Cell& cell = panel.x.at.cell;
    return {cell.node, cell.offset - cell.offset % vector_length(panel)};
}

bool told(const ExplanationPanel& panel, const Cell& cell, float value) {
    return !is_hidden_by_quiz(panel.frame, panel.x.at.slot, cell) &&
           !panel.frame.state.own<LessonSecrets>().holds(value);
}

/// Writes one value per line with full precision, as a spreadsheet reads a column.
std::string column_of(std::span<const float> values) {
    std::string text;
    for (const float value : values) text += significant(value, 9) + "\n";
    return text;
}

}  // namespace

float draw_vector_switch(const ExplanationPanel& panel, ImVec2 top_right, float height) {
    const std::int64_t length = vector_length(panel);
    if (length < 2) return 0;
    const Ui& ui = panel.ui();
    VectorShown& shown = panel.frame.own<VectorShown>();
    const std::string_view text = "[…]";
    const float width = draw::text_size(ui, text, FontRole::small).x + ui.px(14);
    const ButtonStyle style{.tone = Tone::quiet,
                            .selected = shown.open,
                            .font = FontRole::small,
                            .tooltip = ui.items->format(tr("All %d numbers of this vector\nTo read, click and copy."),
                                                        static_cast<int>(length))};
    if (button(ui, "explain/vector", {{top_right.x - width, top_right.y}, {top_right.x, top_right.y + height}}, text,
               style))
        shown.open = !shown.open;
    return width + ui.px(4);
}

bool draw_explanation_vector(const ExplanationPanel& panel, const Box& box) {
    const Ui& ui = panel.ui();
    const std::int64_t length = vector_length(panel);
    if (!panel.frame.own<VectorShown>().open || length < 2) return false;
    const Cell first = first_of(panel);
    const SliceView part = panel.trace.part_of(first);
    const std::span<const float> values = part.cells(first.offset, length);
    bool all_told = true;
    for (std::int64_t i = 0; i < length && all_told; ++i)
        all_told = told(panel, {first.node, first.offset + i}, values[i]);

    const float height = ui.px(button_height);
    const std::string copy = tr("Copy all");
    const float copy_left = box.max.x - draw::text_size(ui, copy, FontRole::small).x - ui.px(16);
    const ButtonStyle style{.enabled = all_told,
                            .font = FontRole::small,
                            .tooltip = tr("Copy all\nOne number per line, ready for a spreadsheet column.")};
    if (button(ui, "explain/copy vector", {{copy_left, box.min.y}, {box.max.x, box.min.y + height}}, copy, style))
        ImGui::SetClipboardText(column_of(values).c_str());
    const std::string range =
        filled(tr("{1} to {2}"), {panel.name(first), panel.name({first.node, first.offset + length - 1})});
    draw::text_in(ui, {box.min, {copy_left - ui.px(8), box.min.y + height}}, range,
                  {FontRole::small, ui.theme->text_muted});

    ScrollPage page(ui, "##vector", box.below(box.min.y + height + ui.px(4)));
    const Box& inside = page.inside();
    const float line = ui.line(FontRole::small) + ui.px(5), room = inside.width() - ui.px(index_width);
    const auto columns = std::max<std::int64_t>(1, static_cast<std::int64_t>(room / ui.px(cell_least)));
    const float width = room / to_float(columns);
    const std::int64_t rows = (length + columns - 1) / columns;
    for (std::int64_t row = 0; row < rows; ++row) {
        const float y = inside.min.y + line * to_float(row);
        if (y + line < box.min.y || y > box.max.y) continue;
        draw::text_in(ui, {{inside.min.x, y}, {inside.min.x + ui.px(index_width - 8), y + line}},
                      std::to_string(row * columns), {FontRole::small, ui.theme->text_faint, draw::Align::right});
        for (std::int64_t i = row * columns; i < std::min(length, (row + 1) * columns); ++i) {
            const Cell cell{first.node, first.offset + i};
            const float value = values[i];
            const float left = inside.min.x + ui.px(index_width) + width * to_float(i - row * columns);
            const Box area{{left, y}, {left + width - ui.px(4), y + line}};
            const ValueUse use = traced_value(panel.frame, panel.x.at.slot, cell,
                                              ui.items->format("explain/number %d", static_cast<int>(i)), area);
            const bool hidden = is_hidden_by_quiz(panel.frame, panel.x.at.slot, cell);
            draw::text_in(ui, area.left_of(area.max.x - ui.px(4)),
                          hidden ? "?" : typographic(with_decimals(value, decimals)),
                          {use.hovered ? FontRole::small_bold : FontRole::small, 0, draw::Align::right});
        }
    }
    page.reaches(inside.min.y + line * to_float(rows));
    return true;
}

}  // namespace glassformer::app
