#include <algorithm>
#include <cmath>

#include "app/common/glossary.h"
#include "app/common/stage_motion.h"
#include "app/common/traced_value.h"
#include "app/language/tr.h"
#include "app/views/attention/attention_parts.h"
#include "core/base/number_text.h"

namespace glassformer::app::views::attention {

namespace {

/// One LayerNorm of one sentence.
struct Moments {
    int mean_node, scale_node;
    std::span<const float> mean, scale;
    float epsilon;

    /// Call this only if has().
    Moments(const Frame& frame, const Trace& trace)
        : mean_node(hooked_node(frame.state, trace, prefix(frame) + ".hook_mean")),
          scale_node(hooked_node(frame.state, trace, prefix(frame) + ".hook_scale")),
          mean(trace.values(mean_node)),
          scale(trace.values(scale_node)),
          epsilon(frame.model().config.norm_epsilon) {}

    /// True if the block has a norm that computes mean and spread of each word: RMSNorm has no mean, batch norm works
    /// across words, and a block may have no norm (or no MLP, and so no second norm).
    static bool has(const Frame& frame, const Trace& trace) {
        return hooked_node(frame.state, trace, prefix(frame) + ".hook_mean") >= 0 &&
               hooked_node(frame.state, trace, prefix(frame) + ".hook_scale") >= 0;
    }
    static std::string prefix(const Frame& frame) {
        if (frame.state.second_layer_norm) return "ln2";
        return frame.state.cross_attention ? "ln_cross" : "ln1";
    }
    /// The standard deviation; hook_scale is √(σ² + ε).
    float deviation(std::size_t i) const { return std::sqrt(std::max(0.0f, scale[i] * scale[i] - epsilon)); }
};

/// Maps numbers to the screen. There is one for both sentences, so that they can be compared.
struct Axis {
    float low = 0, high = 0, x0 = 0, x1 = 0;

    void include(const Moments& m) {
        for (std::size_t i = 0; i < m.mean.size(); ++i) {
            low = std::min(low, m.mean[i] - m.deviation(i));
            high = std::max(high, m.mean[i] + m.deviation(i));
        }
    }
    float x(float value) const { return high > low ? x0 + (x1 - x0) * (value - low) / (high - low) : (x0 + x1) / 2; }
};

void toggle(const Frame& frame, int slot, float right, float y, float height) {
    const Ui& ui = frame.ui;
    const ButtonStyle style{
        .tone = Tone::attention,
        .font = FontRole::small,
        .radius = 4,
        .tooltip = tr("Which LayerNorm\nln1 comes before attention, ln2 before the MLP. Click to switch.")};
    const char* shown = frame.state.second_layer_norm ? "ln2" : frame.state.cross_attention ? tr("cross") : "ln1";
    const float width = draw::text_size(ui, shown, FontRole::small_bold).x + ui.px(12);
    const std::string_view label = ui.items->of_card(slot, "layer norm");
    if (button(ui, label, {{right - width, y}, {right, y + height}}, shown, style))
        frame.state.second_layer_norm = !frame.state.second_layer_norm;
}

void headings(const Frame& frame, int slot, const PatternLayout& at) {
    const Ui& ui = frame.ui;
    const Theme& t = *ui.theme;
    const float line = ui.line(FontRole::small), y = at.top + line + ui.px(3), middle = y + line / 2;
    const float width = at.side_right - at.side_left;
    draw::text_in(ui, Box::sized({at.side_left, at.top}, width, line),
                  draw::first_fitting(ui, width, {tr("LayerNorm per token"), tr("LayerNorm")}, FontRole::small_bold),
                  {FontRole::small_bold, t.residual_text});
    float x = at.side_left + draw::text(ui, {at.side_left, y}, "μ", {FontRole::small, t.text_muted}) + ui.px(7);
    ui.list()->AddCircleFilled({x, middle}, 3.5f * ui.scale, t.residual);
    x += ui.px(10);
    const float sigma = x;
    x += draw::text(ui, {x, y}, "σ", {FontRole::small, t.text_muted}) + ui.px(4);
    ui.list()->AddRectFilled({x, middle - ui.px(3)}, {x + ui.px(14), middle + ui.px(3)}, mix(t.card, t.residual, 0.35f),
                             ui.px(2));
    term_tip(ui, {{at.side_left, at.top}, {at.side_right, y}}, "LayerNorm");
    term_tip(ui, {{at.side_left, y}, {sigma - ui.px(4), y + line}}, "μ");
    term_tip(ui, {{sigma - ui.px(4), y}, {x + ui.px(14), y + line}}, "σ");
    toggle(frame, slot, at.side_right, y - ui.px(1), line + ui.px(2));
}

/// Adds two areas that each open a number: the dot (μ) and the rest of the row (σ).
void values(const Frame& frame, int slot, const Moments& m, int token, const Box& box, float dot) {
    const Ui& ui = frame.ui;
    const std::size_t i = token;
    const std::string name = Moments::prefix(frame), word = frame.word(slot, token);
    const std::string mu = draw::signed_number(m.mean[i], 3);
    const std::string_view title =
        ui.items->format("%s  μ %s  σ %s", word.c_str(), mu.c_str(), with_decimals(m.deviation(i), 3).c_str());
    const auto area = [&](const char* what, const Cell& cell, const Box& at) {
        const float value = frame.trace(slot)->at(cell);
        const Response r = click_area(ui, ui.items->of_card(slot, "%s %s %d", name.c_str(), what, token), at, value);
        if (r.hovered) point_at(frame, slot, cell, r.clicked, title);
        note_place(frame, slot, cell, at);
        if (is_lit(frame.state, slot, cell)) draw::selection_frame(ui, at, 4);
    };
    area("mean", {m.mean_node, token}, box.between_x(dot - ui.px(6), dot + ui.px(6)));
    area("scale", {m.scale_node, token}, box);
}

void row(const Frame& frame, int slot, const Moments& m, const Axis& axis, int token, const Box& box) {
    const Ui& ui = frame.ui;
    const Theme& t = *ui.theme;
    const std::size_t i = token;
    const float middle = std::round(box.middle_y()), half = std::max(2.0f * ui.scale, box.height() * 0.18f);
    const float mu = axis.x(m.mean[i]);
    const bool chosen = token == frame.state.token[slot];
    draw::horizontal_line(ui, axis.x0, axis.x1, middle);
    ui.list()->AddRectFilled({axis.x(m.mean[i] - m.deviation(i)), middle - half},
                             {axis.x(m.mean[i] + m.deviation(i)), middle + half},
                             mix(t.card, t.residual, chosen ? 0.5f : 0.35f), half * 0.7f);
    ui.list()->AddCircleFilled({mu, middle}, std::min(3.5f * ui.scale, half + ui.px(1)), t.residual);
    const std::string sigma = with_decimals(m.deviation(i));
    const bool full = box.max.x - axis.x1 > draw::text_size(ui, "σ " + sigma, FontRole::small_bold).x;
    draw::text_in(
        ui, box.right_of(axis.x1), ui.items->format(full ? "σ %s" : "%s", sigma.c_str()),
        {chosen ? FontRole::small_bold : FontRole::small, chosen ? t.text : t.text_muted, draw::Align::right});
    values(frame, slot, m, token, box, mu);
}

/// Says why there is nothing to show.
void draw_none(const Frame& frame, int slot, const PatternLayout& at) {
    const Trace* trace = frame.trace(slot);
    const TransformerConfig& c = trace ? trace->model().config : frame.model().config;
    const std::string_view why = c.norm_placement == NormPlacement::none ? tr("no norm in this model")
                                 : frame.state.second_layer_norm         ? tr("no second norm in this block")
                                 : c.norm == NormKind::rms_norm          ? tr("RMSNorm has no mean")
                                                                         : tr("batch norm: one μ, σ for all words");
    draw::text_wrapped(frame.ui, {at.side_left, at.top}, at.side_right - at.side_left, why,
                       {FontRole::small, frame.ui.theme->text_muted});
    const float line = frame.ui.line(FontRole::small);
    if (frame.state.second_layer_norm)  // to switch back to the first norm
        toggle(frame, slot, at.side_right, at.top + 2 * line, line + frame.ui.px(2));
}

}  // namespace

void draw_layer_norm(const Frame& frame, const HeadTrace& head, const PatternLayout& at) {
    const Ui& ui = frame.ui;
    const float width = at.side_right - at.side_left;
    const float number = draw::text_size(ui, width < ui.px(110) ? "0.00" : "σ 0.00", FontRole::small_bold).x + ui.px(6);
    Axis axis;
    for (int slot = 0; slot < 2; ++slot)
        if (const Trace* trace = frame.trace(slot); trace && Moments::has(frame, *trace))
            axis.include(Moments(frame, *trace));
    axis.x0 = at.side_left, axis.x1 = at.side_right - number;
    if (!Moments::has(frame, *frame.trace(head.slot))) return draw_none(frame, head.slot, at);
    headings(frame, head.slot, at);
    const Moments moments(frame, *frame.trace(head.slot));
    for (const int token : at.rows) {
        const float y = at.row_y(token);
        row(frame, head.slot, moments, axis, token, {{at.side_left, y}, {at.side_right, y + at.row_height - ui.px(1)}});
    }
}

}  // namespace glassformer::app::views::attention
