#include "app/views/head_picture.h"

#include <algorithm>
#include <cmath>

#include "app/ui/draw.h"
#include "app/views/heat_map.h"

namespace glassformer::app {

namespace {

constexpr float gap_from = 5;  // pixels of a cell from which on cells stand apart
constexpr int levels = 16;     // colours of a picture whose cells touch

/// Which of the colours a weight has: small weights are spread as in the theme's ramp.
int level(float weight) {
    if (std::isnan(weight)) return levels + 1;
    return static_cast<int>(std::lround(std::pow(std::clamp(weight, 0.0f, 1.0f), 0.6f) * levels));
}

float level_weight(int at) { return at > levels ? std::nanf("") : std::pow(static_cast<float>(at) / levels, 1 / 0.6f); }

void draw_apart(const Ui& ui, const PatternPicture& picture, ImVec2 min, ImVec2 pitch) {
    const HeatMap map{picture.rows, picture.columns, picture.weights, min, pitch};
    for (int row = 0; row < picture.rows; ++row)
        for (int column = 0; column < picture.columns; ++column) {
            ImVec2 from, to;
            map.cell(ui, row, column, from, to);
            const float weight = picture.weights[static_cast<std::size_t>(row * picture.columns + column)];
            ui.list()->AddRectFilled(from, to, ui.theme->attention_colour(weight));
        }
}

void draw_touching(const Ui& ui, const PatternPicture& picture, ImVec2 min, ImVec2 pitch) {
    for (int row = 0; row < picture.rows; ++row) {
        const float* weights = picture.weights.data() + std::ptrdiff_t{row} * picture.columns;
        const float top = std::round(min.y + pitch.y * static_cast<float>(row)),
                    bottom = std::round(min.y + pitch.y * static_cast<float>(row + 1));
        for (int begin = 0, end = 0; begin < picture.columns; begin = end) {
            const int here = level(weights[begin]);
            for (end = begin + 1; end < picture.columns && level(weights[end]) == here;) ++end;
            if (here == 0) continue;
            ui.list()->AddRectFilled({std::round(min.x + pitch.x * static_cast<float>(begin)), top},
                                     {std::round(min.x + pitch.x * static_cast<float>(end)), bottom},
                                     ui.theme->attention_colour(level_weight(here)));
        }
    }
}

void preview_words(const Ui& ui, const HeadPreview& preview, ImVec2 grid, float cell, float left) {
    const ColumnLabels labels{cell, ui.px(60)};
    for (std::size_t i = 0; i < preview.words.size(); ++i) {
        const bool lit = static_cast<int>(i) == preview.lit_row;
        const draw::TextStyle style{lit ? FontRole::small_bold : FontRole::small,
                                    lit ? ui.theme->text : ui.theme->text_muted, draw::Align::right};
        const float y = grid.y + cell * static_cast<float>(i);
        draw::text_in(ui, {left, y}, {grid.x - ui.px(6), y + cell}, preview.words[i], style);
        labels.draw(ui, {grid.x + cell * (static_cast<float>(i) + 0.5f), grid.y}, preview.words[i],
                    {style.font, style.colour});
    }
}

/// Inside the open tooltip.
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
    draw_head_picture(ui, preview.picture, grid, {grid.x + size, grid.y + size});
    if (words) preview_words(ui, preview, grid, cell, at.x);
}

}  // namespace

void draw_head_picture(const Ui& ui, const PatternPicture& picture, ImVec2 min, ImVec2 max) {
    if (picture.weights.empty()) return;
    const ImVec2 pitch{(max.x - min.x) / static_cast<float>(picture.columns),
                       (max.y - min.y) / static_cast<float>(picture.rows)};
    if (std::min(pitch.x, pitch.y) >= gap_from * ui.scale) return draw_apart(ui, picture, min, pitch);
    ui.list()->AddRectFilled(min, max, ui.theme->attention_zero);
    draw_touching(ui, picture, min, pitch);
}

void head_tooltip(const Ui& ui, const HeadPreview& preview) {
    const auto line = [&](std::string_view text, FontRole font, ImU32 colour) {
        ImGui::PushFont((*ui.fonts)[font]);
        ImGui::PushStyleColor(ImGuiCol_Text, colour);
        ImGui::TextUnformatted(text.data(), text.data() + text.size());
        ImGui::PopStyleColor();
        ImGui::PopFont();
    };
    ImGui::PushStyleVar(ImGuiStyleVar_WindowRounding, 6 * ui.scale);
    ImGui::PushStyleVar(ImGuiStyleVar_WindowPadding, ImVec2(ui.px(10), ui.px(8)));
    ImGui::BeginTooltip();
    line(preview.title, FontRole::small_bold, ui.theme->text);
    line(preview.numbers, FontRole::small, ui.theme->text_muted);
    draw_preview(ui, preview);
    ImGui::EndTooltip();
    ImGui::PopStyleVar(2);
}

}  // namespace glassformer::app
