#include "app/common/colour_legend.h"

#include <array>
#include <cmath>

#include "app/language/tr.h"

namespace glassformer::app {

namespace {

constexpr float cell = 6, gap = 3, cell_height = 10;  // pixels at 100 %
constexpr std::array<float, 7> signed_values = {-1, -0.66f, -0.33f, 0, 0.33f, 0.66f, 1};
constexpr std::array<float, 4> weights = {0, 0.1f, 0.4f, 1};

float width_of(const Ui& ui, std::string_view low, std::string_view high, std::size_t cells) {
    return std::ceil(draw::text_size(ui, low, FontRole::small).x) + ui.px(cell) * static_cast<float>(cells) +
           2 * ui.px(gap) + std::ceil(draw::text_size(ui, high, FontRole::small).x);
}

/// Draws the labels of the two ends; returns the box of the cells between them.
Box ends(const Ui& ui, const Box& box, std::string_view low, std::string_view high, std::size_t cells) {
    const float left = box.min.x + std::ceil(draw::text_size(ui, low, FontRole::small).x) + ui.px(gap);
    const float right = left + ui.px(cell) * static_cast<float>(cells);
    const draw::TextStyle style{FontRole::small, ui.theme->text_muted};
    draw::text_in(ui, box.left_of(left), low, style);
    draw::text_in(ui, box.between_x(right + ui.px(gap), box.max.x + 1), high, style);
    const float middle = std::round(box.middle_y()), half = std::round(ui.px(cell_height) / 2);
    return {{left, middle - half}, {right, middle + half}};
}

void finish(const Ui& ui, const Box& box, std::string_view label, std::string_view meaning) {
    ui.items->add(label, box);
    if (draw::hovered(box)) draw::tip(ui, box, meaning);
}

}  // namespace

float signed_legend_width(const Ui& ui) { return width_of(ui, "−", "+", signed_values.size()); }
float weight_legend_width(const Ui& ui) { return width_of(ui, "0", "1", weights.size()); }

void draw_signed_legend(const Ui& ui, const Box& box, std::string_view label, std::string_view more) {
    const Box cells = ends(ui, box, "−", "+", signed_values.size());
    draw::signed_strip(ui, cells, signed_values, 1);
    finish(ui, box, label,
           ui.items->format(
               tr("Blue is below 0, red above 0\nGrey is near 0. The stronger the colour, the further from 0. %.*s"),
               static_cast<int>(more.size()), more.data()));
}

void draw_weight_legend(const Ui& ui, const Box& box, std::string_view label) {
    const Box cells = ends(ui, box, "0", "1", weights.size());
    for (std::size_t i = 0; i < weights.size(); ++i) {
        const Box cell = draw::strip_cell(ui, cells, static_cast<int>(i), static_cast<int>(weights.size()));
        ui.list()->AddRectFilled(cell.min, cell.max, ui.theme->attention_colour(weights[i]), 1.5f * ui.scale);
    }
    finish(ui, box, label,
           tr("Attention weights from 0 to 1\nStronger purple is a larger weight. The scale favours small weights: "
              "half the colour is a weight of about a third."));
}

float bits_legend_width(const Ui& ui, double most) {
    return width_of(ui, "0", ui.items->format("%.1f", most), weights.size());
}

void draw_bits_legend(const Ui& ui, const Box& box, std::string_view label, double most) {
    const Box cells = ends(ui, box, "0", ui.items->format("%.1f", most), weights.size());
    const int count = static_cast<int>(weights.size());
    for (int i = 0; i < count; ++i) {
        const Box cell = draw::strip_cell(ui, cells, i, count);
        const float share = static_cast<float>(i) / static_cast<float>(count - 1);
        ui.list()->AddRectFilled(cell.min, cell.max, ui.theme->surprise_colour(share), 1.5f * ui.scale);
    }
    finish(ui, box, label,
           ui.items->format(tr("Bits from 0 to %.1f\nThe full colour is log₂ of the vocabulary: as unsure as if every "
                               "word were equally likely. More bits still have the same colour."),
                            most));
}

}  // namespace glassformer::app
