#include <algorithm>
#include <cmath>

#include "app/common/token_names.h"
#include "app/language/tr.h"
#include "app/views/qkv/qkv.h"
#include "core/analysis/head_scores.h"

namespace glassformer::app::views::qkv {

namespace {

constexpr float distance_beside_from = 470, distance_gap = 18, distance_bars_height = 74,
                bar_most = 30;  // pixels at 100 %

/// "2 before", "itself", "1 after".
std::string distance_name(int distance, bool cross) {
    if (distance == 0) return cross ? tr("the same position") : tr("itself");
    return filled(distance > 0 ? tr("{1} before") : tr("{1} after"), {std::to_string(std::abs(distance))});
}

/// Draws one bar per distance; returns the bottom.
float draw_filter(const Frame& frame, const HeadTrace& head, const ToeplitzFit& fit, int least, const Box& box) {
    const Ui& ui = frame.ui;
    const int most = fit.most(), count = most - least + 1;
    const float line = ui.line(FontRole::small);
    const float step = std::min(box.width() / to_float(count), ui.px(bar_most));
    const float base = box.min.y + line + ui.px(distance_bars_height);
    const std::string title =
        head.cross ? tr("The mean weight at each distance") : tr("Its filter: the mean weight at each distance");
    draw::text_in(ui, box.top(line), title, {FontRole::small_bold});
    for (int distance = most; distance >= least; --distance) {
        const float weight = fit.weight(distance), left = box.min.x + step * to_float(most - distance);
        const Box area{{left, box.min.y + line}, {left + step, base + line}};
        const float top = base - std::max(1.0f, weight * (ui.px(distance_bars_height) - line));
        draw::rounded_box(ui, {{left + ui.px(1), top}, {left + step - ui.px(1), base}},
                          ui.theme->attention_colour(0.65f), 0, 2);
        ui.items->addf(area, weight, "%s/filter %d", Frame::letter(head.slot), distance);
        if (draw::hovered(area))
            draw::tooltip(ui, distance_name(distance, head.cross) + std::string(ui.items->format("  %.3f", weight)));
        const std::string number = (distance > 0 ? "−" : "") + std::to_string(std::abs(distance));
        if (draw::text_size(ui, number, FontRole::small).x + ui.px(2) <= step)
            draw::text(ui, {left + step / 2, base + ui.px(2)}, number,
                       {FontRole::small, ui.theme->text_muted, draw::Align::centre});
    }
    draw::horizontal_line(ui, box.min.x, box.min.x + step * to_float(count), base, ui.theme->grid);
    const float below = base + line + ui.px(4);
    const std::string places = filled(head.cross ? tr("0 is the {1}'s own position in the source, −1 the one before it")
                                                 : tr("distance from the {1}: −1 is the previous {1}, +1 the next one"),
                                      {token_name(frame.model(head.slot))});
    return below + draw::label_wrapped(ui, {box.min.x, below}, box.width(), places,
                                       {FontRole::small, ui.theme->text_muted},
                                       {ui.items->of_card(head.slot, "filter places")});
}

}  // namespace

float draw_qkv_distance(const Frame& frame, const HeadTrace& head, const Box& box) {
    const Ui& ui = frame.ui;
    const bool causal = !head.cross && frame.model(head.slot).config.causal();
    const ToeplitzFit fit = nearest_toeplitz(head.pattern.values.values(), head.n, head.keys, causal);
    const std::string share = std::string(ui.items->format("%.0f %%", 100 * fit.explained));
    float y = box.min.y;
    const std::string text =
        filled(tr("If only distance mattered, the weights along each diagonal would be equal: a Toeplitz matrix, as in "
                  "a convolution. Distance alone explains {1} of this pattern."),
               {share});
    const float height =
        draw::text_wrapped(ui, {box.min.x, y}, box.width(), text, {FontRole::small, ui.theme->text_muted});
    ui.items->addf(box.between_y(y, y + height), fit.explained, "%s/toeplitz", Frame::letter(head.slot));
    y += height + ui.px(8);
    const bool beside = box.width() >= ui.px(distance_beside_from);
    const float width = beside ? (box.width() - ui.px(distance_gap)) / 2 : box.width();
    const float left_bottom =
        draw_word_matrix(frame, head,
                         {.name = "weights",
                          .title = tr("the pattern"),
                          .meaning = tr("The pattern\nThe weights of this head."),
                          .values = head.pattern.values.values(),
                          .colours = HeatColours::attention,
                          .key = {frame.sentence(head.slot).trace, head.pattern.node, head.pair_offset(0, 0)},
                          .of = &head.pattern},
                         {{box.min.x, y}, {box.min.x + width, box.max.y}});
    const ImVec2 at = beside ? ImVec2{box.min.x + width + ui.px(distance_gap), y}
                             : ImVec2{box.min.x, left_bottom + ui.px(distance_gap)};
    const float right_bottom = draw_word_matrix(
        frame, head,
        {.name = "toeplitz fit",
         .title = tr("by distance alone"),
         .meaning = tr("The nearest Toeplitz matrix\nEach diagonal has one weight: the mean of the pattern's."),
         .values = fit.fitted,
         .colours = HeatColours::attention},
        {at, {at.x + width, box.max.y}});
    y = std::max(left_bottom, right_bottom) + ui.px(12);
    return draw_filter(frame, head, fit, causal ? 0 : fit.least(), box.below(y));
}

}  // namespace glassformer::app::views::qkv
