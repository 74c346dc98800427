#include <cmath>

#include "app/common/what_if_changes.h"
#include "app/language/tr.h"
#include "app/views/layer_norm/norm_drawing.h"
#include "core/base/number_text.h"

namespace glassformer::app::views::layer_norm {

namespace {

constexpr float most = 3, step = 0.05f, name_width = 30;  // pixels at 100 %

/// "γ ×", a slider, and what it is at. True when it was moved.
bool draw_factor(const Ui& ui, std::string_view label, std::string_view name, const Box& box, float& factor) {
    draw::text_in(ui, box, name, {FontRole::small_bold});
    float moved = factor;
    const std::string shown = with_decimals(static_cast<double>(factor));
    if (!slider(ui, label, box.right_of(box.min.x + ui.px(name_width)), moved, 0, most, shown)) return false;
    moved = std::round(moved / step) * step;
    if (moved == factor) return false;
    factor = moved;
    return true;
}

}  // namespace

float draw_norm_scale(const Frame& frame, const NormLens& lens, const Box& box) {
    const Ui& ui = frame.ui;
    const float line = ui.line(FontRole::small), height = ui.px(24);
    const char* const letter = Frame::letter(lens.slot);
    draw::text_in(
        ui, box.top(line),
        lens.nodes.beta < 0 ? tr("What if all γ of this norm were …") : tr("What if all γ and β of this norm were …"),
        {FontRole::small, ui.theme->text_muted});
    const float y = box.min.y + line + ui.px(2), middle = std::round(box.middle_x());
    what_if::NormScaled norm = norm_scale(frame, lens.prefix);
    const Box left{{box.min.x, y}, {middle - ui.px(8), y + height}},
        right{{middle + ui.px(8), y}, {box.max.x, y + height}};
    bool moved = draw_factor(ui, ui.items->format("%s/norm scale gamma", letter), "γ ×", left, norm.gamma);
    if (lens.nodes.beta >= 0)
        moved |= draw_factor(ui, ui.items->format("%s/norm scale beta", letter), "β ×", right, norm.beta);
    if (moved) scale_norm(frame, norm);
    return y + height;
}

}  // namespace glassformer::app::views::layer_norm
