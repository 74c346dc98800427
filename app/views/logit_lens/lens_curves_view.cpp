#include "app/views/logit_lens/lens_curves_view.h"

#include <algorithm>
#include <cmath>
#include <functional>
#include <vector>

#include "app/common/lens_grid.h"
#include "app/language/tr.h"
#include "app/ui/plot.h"
#include "core/base/number_text.h"

namespace glassformer::app::views::logit_lens {

namespace {

constexpr float led_height = 24, curve_gap = 24, dot_reach = 6;  // pixels at 100 %
constexpr int most_led = 8;

/// One curve over the layers.
struct Curve {
    const char* item;
    std::string title, brief;  // `brief` for when the title does not fit
    ImU32 colour;
    Axis axis;
    std::function<double(int)> height, value;  // by layer: the position on the axis, and the value shown
    std::function<std::string(int)> shown, told;
    std::string highest, lowest;  // beside the axis
};

void draw_curve(const Frame& frame, int slot, const LensCurves& curves, const Curve& curve, const Box& box) {
    const Ui& ui = frame.ui;
    const Theme& t = *ui.theme;
    const float line = ui.line(FontRole::small);
    draw::text_told(ui, box.top(line),
                    draw::first_fitting(ui, box.width(), {curve.title, curve.brief}, FontRole::small_bold),
                    {FontRole::small_bold});
    const float left = box.min.x +
                       std::max(draw::text_size(ui, curve.highest, FontRole::small).x,
                                draw::text_size(ui, curve.lowest, FontRole::small).x) +
                       ui.px(8);
    const int last = curves.layers() - 1;
    const Plot plot{{{left, box.min.y + 2 * line + ui.px(8)}, {box.max.x - ui.px(10), box.max.y - line - ui.px(6)}},
                    {0, static_cast<double>(last)},
                    curve.axis};
    draw_y_tick(ui, plot, curve.axis.high, curve.highest, t.text_muted, t.grid);
    draw_y_tick(ui, plot, curve.axis.low, curve.lowest, t.text_muted, t.grid);
    const std::string_view end = lens_layer_name(frame, last);
    const float ends =
        draw::text_size(ui, tr("embed"), FontRole::small).x + draw::text_size(ui, end, FontRole::small).x;
    if (ends + ui.px(8) <= plot.box.width()) draw_x_label(ui, plot, 0, tr("embed"), t.text_muted, draw::Align::left);
    draw_x_label(ui, plot, last, end, t.text_muted, draw::Align::right);
    std::vector<ImVec2> points;
    for (int layer = 0; layer <= last; ++layer) points.push_back(plot.at(layer, curve.height(layer)));
    draw_series(ui, points, {curve.colour, ui.px(2), false, ui.px(3)});
    float free_from = left - ui.px(4);  // beside the numbers of the axis
    for (int layer = 0; layer <= last; ++layer) {
        const Box dot = Box::around(points[layer], ui.px(dot_reach));
        const std::string shown = curve.shown(layer);
        ui.items->add(ui.items->of_card(slot, "%s %d", curve.item, layer), dot, curve.value(layer), shown);
        const float half = draw::text_size(ui, shown, FontRole::small).x / 2;
        // Puts numbers where the line leaves room: beside a slope, and below a valley.
        const bool from_above = layer > 0 && points[layer - 1].y < points[layer].y - 1,
                   to_above = layer < last && points[layer + 1].y < points[layer].y - 1;
        const bool below = (from_above || layer == 0) && (to_above || layer == last) && (from_above || to_above) &&
                           points[layer].y + ui.px(4) + line <= plot.box.max.y;
        const float aside = below || from_above == to_above ? 0 : from_above ? half : -half;
        const float x = std::min(std::max(points[layer].x + aside, left - ui.px(4) + half), box.max.x - half);
        if (x - half >= free_from) {
            draw::text(ui, {x, below ? points[layer].y + ui.px(4) : points[layer].y - line - ui.px(4)}, shown,
                       {FontRole::small, t.text, draw::Align::centre});
            free_from = x + half + ui.px(4);
        }
        if (draw::hovered(dot)) draw::tooltip(ui, dot, curve.told(layer));
    }
}

/// Draws the words that led after some layer; a click follows one.
void draw_led(const Frame& frame, std::span<const LensCurves::Leader> led, int slot, int& followed, int word,
              const Box& row) {
    const Ui& ui = frame.ui;
    ImVec2 at = row.min;
    for (int i = 0; i < std::min(int_size(led), most_led); ++i) {
        const std::string name = vocabulary_word(frame, led[i].word);
        const ButtonStyle style{.tone = Tone::quiet,
                                .selected = led[i].word == word,
                                .font = FontRole::small,
                                .tooltip = tr("Follow this word\nIt is the likeliest after some layer.")};
        if (at.x + chip_width(ui, name, style) > row.max.x) break;
        if (chip(ui, ui.items->of_card(slot, "led %d", i), at, row.height(), name, style)) followed = led[i].word;
    }
}

}  // namespace

void draw_lens_curves(const Frame& frame, const LensCurves& curves, int slot, int& followed, std::string_view title,
                      const Box& box) {
    const Ui& ui = frame.ui;
    const Theme& t = *ui.theme;
    const std::vector<LensCurves::Leader>& led = curves.leaders();
    const int words = frame.model(slot).config.d_vocab,
              word = followed >= 0 && followed < words ? followed : led[0].word;
    Box rest = box;
    draw_led(frame, led, slot, followed, word, rest.cut_top(ui.px(led_height), ui.px(6)));
    const std::string name = vocabulary_word(frame, word);
    std::vector<int> ranks;
    for (int layer = 0; layer < curves.layers(); ++layer) ranks.push_back(curves.rank(layer, word));
    const auto after = [&](int layer) { return std::string(lens_layer_name(frame, layer)); };
    const double most = std::log2(static_cast<double>(words)), last_rank = std::log10(static_cast<double>(words));
    const Curve entropy{
        "entropy",
        std::string(title),
        tr("entropy, bits"),
        t.surprise,
        {0, most},
        [&](int layer) { return curves.entropy(layer); },
        [&](int layer) { return curves.entropy(layer); },
        [&](int layer) { return with_decimals(curves.entropy(layer), 2); },
        [&](int layer) {
            return filled(tr("Entropy after {1}: {2} bits\n−Σ p log₂ p of what the model would predict if it stopped "
                             "there. {3} bits: any word may come; 0: it is certain."),
                          {after(layer), with_decimals(curves.entropy(layer), 4), with_decimals(most, 2)});
        },
        with_decimals(most, 1),
        "0"};
    const Curve rank{
        "rank",
        filled(tr("rank of “{1}”"), {name}),
        tr("rank"),
        t.attention,
        {-last_rank, 0},
        [&](int layer) { return -std::log10(static_cast<double>(ranks[layer])); },
        [&](int layer) { return static_cast<double>(ranks[layer]); },
        [&](int layer) { return grouped(ranks[layer]); },
        [&](int layer) {
            return filled(
                tr("“{1}” after {2}: rank {3} of {4}\nIts place among all words by probability, {5} %, if the "
                   "model stopped there. 1 is the likeliest."),
                {name, after(layer), grouped(ranks[layer]), grouped(words),
                 with_decimals(100 * curves.probability(layer, word), 2)});
        },
        "1",
        grouped(words)};
    draw_curve(frame, slot, curves, entropy, rest.column(0, 2, ui.px(curve_gap)));
    draw_curve(frame, slot, curves, rank, rest.column(1, 2, ui.px(curve_gap)));
}

}  // namespace glassformer::app::views::logit_lens
