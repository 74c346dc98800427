#include "app/common/head_picture.h"

#include <algorithm>
#include <cmath>

#include "app/common/heat_map.h"
#include "app/ui/draw.h"

namespace glassformer::app {

namespace {

constexpr int most_rectangles = 16 * 16;

void draw_rectangles(const Ui& ui, const CellGrid& grid, const PatternPicture& picture) {
    for (int row = 0; row < grid.rows; ++row)
        for (int column = 0; column < grid.columns; ++column) {
            const Box cell = grid.cell(ui, row, column);
            const float weight = picture.weights[row * grid.columns + column];
            ui.list()->AddRectFilled(cell.min, cell.max, ui.theme->attention_colour(weight));
        }
}

void preview_words(const Ui& ui, const HeadPreview& preview, ImVec2 grid, float cell, float left) {
    const ColumnLabels labels{cell, ui.px(60)};
    for (std::size_t i = 0; i < preview.words.size(); ++i) {
        const bool lit = static_cast<int>(i) == preview.lit_row;
        const draw::TextStyle style{lit ? FontRole::small_bold : FontRole::small,
                                    lit ? ui.theme->text : ui.theme->text_muted, draw::Align::right};
        const float y = grid.y + cell * static_cast<float>(i);
        draw::text_in(ui, {{left, y}, {grid.x - ui.px(6), y + cell}}, preview.words[i], style);
        labels.draw(ui, {grid.x + cell * (static_cast<float>(i) + 0.5f), grid.y}, preview.words[i],
                    {style.font, style.colour});
    }
}

/// Draws into the open tooltip.
void draw_preview(const Ui& ui, const HeadPreview& preview) {
    const float n = static_cast<float>(std::max(1, preview.picture.rows));
    const bool words = !preview.words.empty();
    const float cell = words ? ui.line(FontRole::small) + ui.px(2) : std::floor(std::max(1.0f, ui.px(264) / n));
    float widest = 0;
    for (const std::string& word : preview.words)
        widest = std::max(widest, draw::text_size(ui, word, FontRole::small_bold).x);
    const ColumnLabels labels{cell, ui.px(60)};
    const float left = words ? std::min(ui.px(90), widest) + ui.px(8) : 0, top = words ? labels.height(ui, widest) : 0;
    const float over = words ? labels.reach(ui, std::min(widest, ui.px(60))) : 0;
    const ImVec2 at = ImGui::GetCursorScreenPos(), grid{std::floor(at.x + left), std::floor(at.y + top)};
    const float size = cell * n;
    ImGui::Dummy({left + size + over, top + size + ui.px(2)});
    const Box picture{grid, {grid.x + size, grid.y + size}};
    draw_head_picture(ui, preview.picture, preview.key, picture);
    if (preview.hidden_by_quiz >= 0) cover_row(ui, preview.hidden_by_quiz, preview.queries, picture);
    if (words) preview_words(ui, preview, grid, cell, at.x);
}

}  // namespace

void draw_head_picture(const Ui& ui, const PatternPicture& picture, const HeatKey& key, const Box& box) {
    if (picture.weights.empty()) return;
    const CellGrid grid{
        picture.rows,
        picture.columns,
        box.min,
        {box.width() / static_cast<float>(picture.columns), box.height() / static_cast<float>(picture.rows)}};
    if (picture.rows * picture.columns <= most_rectangles) return draw_rectangles(ui, grid, picture);
    draw_heat(ui,
              {.rows = picture.rows,
               .columns = picture.columns,
               .values = picture.weights,
               .stride = picture.columns,
               .scores = {},
               .key = key},
              box);
}

void cover_row(const Ui& ui, int row, int rows, const Box& box) {
    const float pitch = box.height() / static_cast<float>(std::max(1, rows)),
                top = box.min.y + pitch * static_cast<float>(row);
    // At least one pixel of the small picture, which averages several rows of a large pattern.
    ui.list()->AddRectFilled({box.min.x, std::floor(top)}, {box.max.x, std::ceil(top + std::max(pitch, ui.px(2)))},
                             ui.theme->track);
}

void head_tooltip(const Ui& ui, const HeadPreview& preview) {
    if (ui.focus->pointer_rests(false)) return;
    const auto line = [&](std::string_view text, FontRole font, ImU32 colour) {
        draw::text(ui, ImGui::GetCursorScreenPos(), text, {font, colour});
        ImGui::Dummy(draw::text_size(ui, text, font));
    };
    ImGui::PushStyleVar(ImGuiStyleVar_WindowRounding, 6 * ui.scale);
    ImGui::PushStyleVar(ImGuiStyleVar_WindowPadding, ImVec2(ui.px(10), ui.px(8)));
    ImGui::BeginTooltip();
    line(preview.title, FontRole::small_bold, ui.theme->text);
    line(preview.numbers, FontRole::small, ui.theme->text_muted);
    draw_preview(ui, preview);
    const ImVec2 at = ImGui::GetWindowPos(), size = ImGui::GetWindowSize();
    ui.items->add("head tooltip", {at, {at.x + size.x, at.y + size.y}}, std::nullopt, preview.title);
    ImGui::EndTooltip();
    ImGui::PopStyleVar(2);
}

}  // namespace glassformer::app
