#include <algorithm>
#include <cmath>

#include "app/common/explanation.h"
#include "app/common/token_names.h"
#include "app/common/traced_value.h"
#include "app/language/tr.h"
#include "app/ui/plot.h"
#include "app/views/layer_norm/norm_lens.h"
#include "core/base/number_text.h"

namespace glassformer::app::views::layer_norm {

namespace {

constexpr float beside_from = 400, label_width = 132, end_gap = 6;  // pixels at 100 %
constexpr std::array<const char*, 3> item_name = {"before", "normalized", "out"};

/// One of the three: its index, its counts, its plot, and the labels of its axis.
struct Row {
    int which;
    NormHistogram counts;
    Box plot;
    AxisEnds ends;

    float x(double value) const {
        const Axis axis{-counts.limit, counts.limit};
        return Plot{plot, axis, {}}.at_x(axis.clamped(value));
    }
    const char* name() const { return item_name[which]; }
};

bool beside(const Ui& ui, float width) { return width >= ui.px(beside_from); }
float below_plot(const Ui& ui, AxisEnds ends) {
    return ui.px(9) + (ends == AxisEnds::below ? ui.line(FontRole::small) : 0);
}
float above_plot(const Ui& ui, float width) {
    return beside(ui, width) ? ui.px(2) : ui.line(FontRole::small) + ui.px(4);
}

std::string_view title(const NormLens& lens, int which) {
    const bool mean = lens.takes_mean(), beta = lens.nodes.beta >= 0;
    if (which == 0) return tr("x before");
    if (which == 1) return mean ? "x̂ = (x − μ) ∕ σ" : tr("x̂ = x ∕ rms");
    return beta ? "y = γ · x̂ + β" : "y = γ · x̂";
}

/// The cell of a statistic of the first histogram; none if the model has no such number.
std::optional<Cell> statistic_cell(const NormLens& lens, int which, bool of_mean) {
    if (which != 0 || lens.over_words || lens.nodes.of_features()) return {};
    const int node = of_mean ? lens.nodes.mean : lens.nodes.scale;
    if (node < 0) return {};
    return Cell{node, lens.token};
}

/// "μ −0.020" or "σ 0.157"; returns its width.
float statistic(const Frame& frame, const NormLens& lens, const Row& row, bool of_mean, ImVec2 at) {
    const Ui& ui = frame.ui;
    const Spread& s = lens.spreads[row.which];
    const std::string mean = draw::signed_number(s.mean, 3);
    const std::string_view text =
        of_mean ? ui.items->format("μ %s", mean.c_str())
                : ui.items->format(lens.takes_mean() ? "σ %s" : "rms %s", with_decimals(s.deviation, 3).c_str());
    const ImVec2 size = draw::text_size(ui, text, FontRole::small);
    const Box box = Box::sized(at, size.x, size.y);
    draw::text(ui, at, text, {FontRole::small, ui.theme->text_muted});
    const Response r =
        click_area(ui, ui.items->of_card(lens.slot, "norm %s %s", row.name(), of_mean ? "mean" : "deviation"), box,
                   of_mean ? s.mean : s.deviation, text);
    if (const auto cell = statistic_cell(lens, row.which, of_mean)) {
        if (r.hovered) point_at(frame, lens.slot, *cell, r.clicked);
        if (is_lit(frame.state, lens.slot, *cell))
            draw::selection_frame(ui, {{at.x - ui.px(3), at.y}, {box.max.x + ui.px(3), box.max.y + ui.px(1)}});
    } else if (r.hovered) {
        draw::tooltip(ui, of_mean ? tr("Mean\nof the values in this histogram")
                                  : tr("Standard deviation\nof the values in this histogram: the bar below extends "
                                       "this far to both sides"));
    }
    return size.x;
}

void caption(const Frame& frame, const NormLens& lens, const Row& row, const Box& box) {
    const Ui& ui = frame.ui;
    const float line = ui.line(FontRole::small);
    const bool left = beside(ui, box.width());
    const std::string_view name = title(lens, row.which);
    ImVec2 at{box.min.x, left ? std::max(box.min.y, row.plot.max.y - 2 * line - ui.px(12)) : box.min.y};
    const float width = draw::text(ui, at, name, {FontRole::small_bold});
    at = left ? ImVec2{at.x, at.y + line + ui.px(3)} : ImVec2{at.x + width + ui.px(12), at.y};
    if (lens.takes_mean()) at.x += statistic(frame, lens, row, true, at) + ui.px(8);
    statistic(frame, lens, row, false, at);
}

/// The value in a bar that follows the chosen one; wraps around.
int next_in(const NormLens& lens, const Row& row, int piece) {
    const std::vector<float>& values = lens.values[row.which];
    const int count = int_size(values);
    for (int step = 1; step <= count; ++step) {
        const int i = (lens.index() + step) % count;
        if (row.counts.piece(values[i]) == piece) return i;
    }
    return -1;
}

/// Names the features or words in a bar, as many as fit on a line.
std::string members(const Frame& frame, const NormLens& lens, const Row& row, int piece) {
    const std::vector<float>& values = lens.values[row.which];
    constexpr std::size_t most = 8;
    std::vector<std::string> named;
    for (std::size_t i = 0; i < values.size(); ++i) {
        if (row.counts.piece(values[i]) != piece) continue;
        if (named.size() == most) return listed(named) + " …";
        const WordPlace word = lens.over_words ? lens.words[i] : WordPlace{};
        named.push_back(lens.over_words ? frame.word(word.slot, word.position) + " (" + Frame::letter(word.slot) + ")"
                                        : std::to_string(i));
    }
    return listed(named);
}

void use_bar(const Frame& frame, const NormLens& lens, const Row& row, int piece, const Response& r) {
    if (!r.hovered && !r.clicked) return;
    const int count = row.counts.count[piece];
    if (count == 0) return;
    const double step = 2 * row.counts.limit / NormHistogram::pieces, low = -row.counts.limit + step * piece;
    ImGui::SetMouseCursor(ImGuiMouseCursor_Hand);
    draw::tooltip(frame.ui, frame.ui.items->format(
                                tr("%d between %s and %s\n%s: %s\nClick to choose one"), count,
                                typographic(significant(low)).c_str(), typographic(significant(low + step)).c_str(),
                                lens.over_words ? token_names(frame.model(lens.slot)).c_str() : tr("features"),
                                members(frame, lens, row, piece).c_str()));
    if (!r.clicked) return;
    const int chosen = next_in(lens, row, piece);
    if (!lens.over_words) {
        frame.state.own<NormLensChoice>().feature = chosen;
    } else if (chosen >= 0) {
        const WordPlace& word = lens.words[chosen];
        choose_token(frame.state, frame.snapshot, word.slot, word.position);
    }
}

void bars(const Frame& frame, const NormLens& lens, const Row& row) {
    const Ui& ui = frame.ui;
    const Theme& t = *ui.theme;
    const std::size_t which = row.which;
    const int highest = std::max(1, *std::ranges::max_element(row.counts.count));
    const int chosen = row.counts.piece(lens.values[which][lens.index()]);
    const float step = row.plot.width() / NormHistogram::pieces, gap = step >= 4 * ui.scale ? ui.px(1) : 0;
    const ImU32 colour = mix(t.card, t.residual, 0.55f + 0.2f * to_float(row.which));
    for (int i = 0; i < NormHistogram::pieces; ++i) {
        const int count = row.counts.count[i];
        const float x = std::round(row.plot.min.x + step * to_float(i)),
                    end = std::round(row.plot.min.x + step * to_float(i + 1)) - gap,
                    high = std::round(row.plot.height() * to_float(count) / to_float(highest));
        if (count > 0)
            ui.list()->AddRectFilled({x, row.plot.max.y - high}, {end, row.plot.max.y},
                                     i == chosen ? t.selection : colour, std::min(2.0f * ui.scale, high / 2),
                                     ImDrawFlags_RoundCornersTop);
        const Response r = click_area(ui, ui.items->of_card(lens.slot, "norm %s bin %d", row.name(), i),
                                      row.plot.between_x(x, end + gap), count);
        use_bar(frame, lens, row, i, r);
    }
}

/// Draws the baseline with the line of the mean, the bar of the spread below it, and the ends of the axis.
void marks(const Frame& frame, const NormLens& lens, const Row& row) {
    const Ui& ui = frame.ui;
    const Theme& t = *ui.theme;
    const Spread& s = lens.spreads[row.which];
    const float base = row.plot.max.y, bar = base + ui.px(4);
    draw::horizontal_line(ui, row.plot.min.x, row.plot.max.x, base, t.text_faint);
    ui.list()->AddRectFilled({row.x(s.mean - s.deviation), bar}, {row.x(s.mean + s.deviation), bar + ui.px(4)},
                             mix(t.card, t.text, 0.45f), 2 * ui.scale);
    if (lens.takes_mean()) {
        const float x = std::round(row.x(s.mean));
        ui.list()->AddRectFilled({x - ui.px(1), row.plot.min.y}, {x + ui.px(1), bar + ui.px(4)}, t.text);
    }
    const bool below = row.ends == AxisEnds::below;
    const float y = below ? bar + ui.px(5) : base - std::round(ui.line(FontRole::small) / 2),
                gap = below ? 0 : ui.px(end_gap);
    draw::text(ui, {row.plot.min.x - gap, y}, "−" + significant(row.counts.limit),
               {FontRole::small, t.text_faint, below ? draw::Align::left : draw::Align::right});
    draw::text(ui, {row.plot.max.x + gap, y}, significant(row.counts.limit),
               {FontRole::small, t.text_faint, below ? draw::Align::right : draw::Align::left});
}

}  // namespace

float norm_histogram_frame(const Ui& ui, float width, AxisEnds ends) {
    return 3 * (above_plot(ui, width) + below_plot(ui, ends) + ui.px(4));
}

float draw_norm_histograms(const Frame& frame, const NormLens& lens, const Box& box, float plot, AxisEnds ends) {
    const Ui& ui = frame.ui;
    // x̂ and y share an axis, so that the effect of γ and β is visible.
    const double before = round_limit(lens.values[0]),
                 shared = std::max(round_limit(lens.values[1]), round_limit(lens.values[2]));
    float side = 0;
    for (const double limit : {before, shared})
        if (ends == AxisEnds::at_sides)
            side = std::max(side, draw::text_size(ui, "−" + significant(limit), FontRole::small).x + ui.px(end_gap));
    const float left = side + (beside(ui, box.width()) ? ui.px(label_width) : 0);
    float y = box.min.y;
    for (int which = 0; which < 3; ++which) {
        const std::vector<float>& values = lens.values[which];
        const float top = y + above_plot(ui, box.width());
        const Row row{which,
                      histogram(values, which == 0 ? before : shared),
                      {{box.min.x + left, top}, {box.max.x - side, top + plot}},
                      ends};
        caption(frame, lens, row, box.between_y(y, top + plot));
        bars(frame, lens, row);
        marks(frame, lens, row);
        y = row.plot.max.y + below_plot(ui, ends) + ui.px(4);
    }
    return y;
}

}  // namespace glassformer::app::views::layer_norm
