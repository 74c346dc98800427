#include <array>
#include <cmath>

#include "app/common/explanation.h"
#include "app/common/stage_motion.h"
#include "app/common/token_names.h"
#include "app/common/traced_value.h"
#include "app/common/what_if_changes.h"
#include "app/language/tr.h"
#include "app/ui/math_text.h"
#include "app/views/layer_norm/norm_lens.h"
#include "core/base/number_text.h"

namespace glassformer::app::views::layer_norm {

namespace {

std::string number(double value) { return with_decimals(value, 3); }

std::string_view formula(const NormLens& lens) {
    if (!lens.takes_mean()) return tr("y = γ · x ∕ √(mean x² + ε)");
    return lens.nodes.beta < 0 ? "y = γ · (x − μ) ∕ √(σ² + ε)" : "y = γ · (x − μ) ∕ √(σ² + ε) + β";
}

/// "0.931 · (−0.041 + 0.020) ∕ 0.157 + 0.004".
std::string with_numbers(const NormLens& lens) {
    const std::string above =
        lens.takes_mean() ? "(" + number(lens.x) + " − " + number(lens.mean) + ")" : number(lens.x);
    std::string text = number(lens.gamma) + " · " + above + " ∕ " + number(lens.scale);
    if (lens.nodes.beta >= 0) text += " + " + number(lens.beta);
    return typographic(text);
}

/// One number of the formula, and its cell in the trace if the model has it.
struct Part {
    const char* item;
    std::string_view name;
    double value;
    std::optional<Cell> cell;
};

std::vector<Part> parts(const Frame& frame, const NormLens& lens) {
    const NormNodes& n = lens.nodes;
    const std::int64_t here = lens.cell(lens.token, lens.feature), one = lens.gamma_cell(*frame.trace(lens.slot));
    const std::int64_t of = n.of_features() ? lens.feature : lens.token;
    // For a feature over the words on screen, these numbers are the lens's own.
    const auto models = [&](int node, std::int64_t offset) {
        return lens.over_words || node < 0 ? std::nullopt : std::optional(Cell{node, offset});
    };
    std::vector<Part> all = {{"x", "x", lens.x, Cell{n.x, here}}};
    if (lens.takes_mean()) all.push_back({"mean", "μ", lens.mean, models(n.mean, of)});
    all.push_back({"scale", lens.takes_mean() ? "√(σ²+ε)" : "rms", lens.scale,
                   n.of_features() ? std::nullopt : models(n.scale, of)});
    all.push_back({"normalized", "x̂", lens.normalized, models(n.normalized, here)});
    if (n.gamma >= 0) all.push_back({"gamma", "γ", lens.gamma, Cell{n.gamma, one}});
    if (n.beta >= 0) all.push_back({"beta", "β", lens.beta, Cell{n.beta, one}});
    all.push_back({"out", "y", lens.out, models(n.out, here)});
    return all;
}

void draw_part(const Frame& frame, const NormLens& lens, const Part& part, const Box& box, std::string_view text) {
    const Ui& ui = frame.ui;
    const Theme& t = *ui.theme;
    const Response r = click_area(ui, ui.items->of_card(lens.slot, "norm value %s", part.item), box, part.value, text);
    draw::rounded_box(ui, box, part.cell ? (r.hovered ? t.hover : t.control) : t.card, t.control_border, 5);
    draw::text_in(ui, box, text, {FontRole::small, 0, draw::Align::centre});
    if (!part.cell) {
        if (r.hovered)
            draw::tooltip(ui, lens.over_words ? filled(tr("Over the {1} on screen\nComputed for this comparison: the "
                                                          "model has no such number."),
                                                       {token_names(frame.model(lens.slot))})
                                              : tr("From the running variance\n√(variance + ε) of this feature."));
        return;
    }
    if (r.hovered) point_at(frame, lens.slot, *part.cell, r.clicked);
    note_place(frame, lens.slot, *part.cell, box);
    if (is_lit(frame.state, lens.slot, *part.cell)) draw::selection_frame(ui, box, 5);
}

/// Draws the numbers, wrapped into lines; returns the bottom.
float draw_parts(const Frame& frame, const NormLens& lens, const Box& box) {
    const Ui& ui = frame.ui;
    const float height = ui.line(FontRole::small) + ui.px(8), gap = ui.px(5);
    ImVec2 at = box.min;
    for (const Part& part : parts(frame, lens)) {
        const std::string value = typographic(number(part.value));
        const std::string_view text = ui.items->format("%.*s %s", int_size(part.name), part.name.data(), value.c_str());
        const float width = draw::text_size(ui, text, FontRole::small).x + ui.px(14);
        if (at.x > box.min.x && at.x + width > box.max.x) at = {box.min.x, at.y + height + gap};
        draw_part(frame, lens, part, {at, {at.x + width, at.y + height}}, text);
        at.x += width + gap;
    }
    return at.y + height;
}

/// "‹ feature 7 ›".
float draw_feature(const Frame& frame, const NormLens& lens, ImVec2 at) {
    const Ui& ui = frame.ui;
    const float height = ui.px(24);
    ButtonStyle style{.font = FontRole::small, .radius = 5};
    const std::string_view shown = ui.items->format(tr("feature %d"), lens.feature);
    const float room = draw::text_size(ui, ui.items->format(tr("feature %d"), lens.features), FontRole::small_bold).x;
    int& feature = frame.state.own<NormLensChoice>().feature;
    style.tooltip = tr("Previous feature");
    if (chip(ui, ui.items->of_card(lens.slot, "norm feature back"), at, height, "‹", style))
        feature = (lens.feature + lens.features - 1) % lens.features;
    const Box box = Box::sized(at, room, height);
    draw::text_in(ui, box, shown, {FontRole::small_bold, 0, draw::Align::centre});
    ui.items->add(ui.items->of_card(lens.slot, "norm feature"), box, item_state(lens.feature));
    at.x += room + ui.px(6);
    style.tooltip = tr("Next feature");
    if (chip(ui, ui.items->of_card(lens.slot, "norm feature next"), at, height, "›", style))
        feature = (lens.feature + 1) % lens.features;
    return at.y + height;
}

constexpr float most = 3, step = 0.05f;  // of a factor
constexpr float factor_name_width = 30;  // pixels at 100 %

/// "γ ×", a slider, and its value. Returns true if it was moved.
bool draw_factor(const Ui& ui, std::string_view label, std::string_view name, const Box& box, float& factor) {
    draw::text_in(ui, box, name, {FontRole::small_bold});
    float moved = factor;
    const std::string shown = with_decimals(factor);
    if (!slider(ui, label, box.right_of(box.min.x + ui.px(factor_name_width)), moved, 0, most, shown)) return false;
    moved = std::round(moved / step) * step;
    if (moved == factor) return false;
    factor = moved;
    return true;
}

}  // namespace

float draw_norm_formula(const Frame& frame, const NormLens& lens, const Box& box) {
    const Ui& ui = frame.ui;
    float y = draw_feature(frame, lens, box.min) + ui.px(6);
    const math::Style style{FontRole::small_bold, ui.theme->text, false};
    const std::array<math::Piece, 1> words{{{formula(lens)}}};
    y += math::equation(ui, {box.min.x, y}, box.width(), words, style) + ui.px(2);
    const std::string numbers = with_numbers(lens), result = typographic(number(lens.out));
    const std::array<math::Piece, 3> pieces{{{"y"}, {numbers}, {result, true}}};
    const float height =
        math::equation(ui, {box.min.x, y}, box.width(), pieces, {FontRole::small, ui.theme->text, false});
    ui.items->add(ui.items->of_card(lens.slot, "norm formula"), box.between_y(y, y + height), std::nullopt, numbers);
    y += height + ui.px(4);
    return draw_parts(frame, lens, box.below(y));
}

float draw_norm_scale(const Frame& frame, const NormLens& lens, const Box& box) {
    const Ui& ui = frame.ui;
    const float line = ui.line(FontRole::small), height = ui.px(24);
    const char* const letter = Frame::letter(lens.slot);
    draw::text_in(
        ui, box.top(line),
        lens.nodes.beta < 0 ? tr("What if all γ of this norm were …") : tr("What if all γ and β of this norm were …"),
        {FontRole::small, ui.theme->text_muted});
    const float y = box.min.y + line + ui.px(2), middle = std::round(box.middle_x());
    glassformer::what_if::NormScaled norm = norm_scale(frame, lens.prefix);
    const Box left{{box.min.x, y}, {middle - ui.px(8), y + height}},
        right{{middle + ui.px(8), y}, {box.max.x, y + height}};
    bool moved = draw_factor(ui, ui.items->format("%s/norm scale gamma", letter), "γ ×", left, norm.gamma);
    if (lens.nodes.beta >= 0)
        moved |= draw_factor(ui, ui.items->format("%s/norm scale beta", letter), "β ×", right, norm.beta);
    if (moved) scale_norm(frame, norm);
    return y + height;
}

}  // namespace glassformer::app::views::layer_norm
