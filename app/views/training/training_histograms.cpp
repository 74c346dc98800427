#include <algorithm>
#include <cmath>
#include <utility>

#include "app/language/tr.h"
#include "app/ui/scroll_page.h"
#include "app/views/training/training_pages.h"
#include "app/views/training/training_view.h"
#include "core/graph/hook_names.h"

namespace glassformer::app::views::training {

namespace {

// Pixels at 100 %.
constexpr float histogram_side = 12, column_gap = 16, name_least = 118, name_most = 210, row_gap = 10,
                faintest_bar = 0.4f;

/// A quantity of a parameter that has a histogram.
struct Column {
    const char* name;
    std::string_view meaning;
    ValueSpread ParameterHistograms::*spread;
    bool ParameterHistograms::*has;  // null: always
};
constexpr std::array columns = {
    Column{N_("weight"), N_("The weights now, after the newest update."), &ParameterHistograms::weight, nullptr},
    Column{N_("gradient"), N_("The gradient of the loss for each weight in the newest update, before clipping."),
           &ParameterHistograms::gradient, &ParameterHistograms::has_gradient},
    Column{"m", N_("The optimizer's running mean of the gradient."), &ParameterHistograms::m,
           &ParameterHistograms::has_m},
    Column{"v", N_("The optimizer's running mean of the squared gradient."), &ParameterHistograms::v,
           &ParameterHistograms::has_v},
};

/// Which columns there are, and where they are; those that the optimizer does not have are left out.
struct Table {
    std::vector<const Column*> shown;
    float left, names, width;  // width of a column; columns begin after `names`

    Table(const Ui& ui, const Box& box, const ParameterHistograms& any) : left(box.min.x) {
        for (const Column& column : columns)
            if (!column.has || any.*column.has) shown.push_back(&column);
        names = std::clamp(box.width() * 0.22f, ui.px(name_least), ui.px(name_most));
        const auto count = to_float(shown.size());
        width = std::min((box.width() - names) / count - ui.px(column_gap), ui.px(320));
    }
    float x(const Ui& ui, std::size_t column) const {
        return std::round(left + names + ui.px(column_gap) + to_float(column) * (width + ui.px(column_gap)));
    }
};

float histogram_height(const Ui& ui) { return 3 * ui.line(FontRole::small) + ui.px(row_gap + 4); }

/// True if both are under the same title: both in the same block, or both in none.
bool same_part(const ParameterHistograms& a, const ParameterHistograms& b) {
    const NodePlace first = node_place(a.name), second = node_place(b.name);
    return first.same_block(second) || (first.block < 0 && second.block < 0);
}

/// Title of a part: in English, as in its item, and as shown.
struct PartTitle {
    std::string name, shown;
};

PartTitle block_title(const NodePlace& place, bool first, bool last) {
    const char* const pattern = place.block >= 0 ? (place.encoder ? N_("Encoder block {1}") : N_("Block {1}"))
                                : first          ? N_("Before the blocks")
                                : last           ? N_("After the blocks")
                                                 : N_("Between encoder and decoder");
    const std::string number = std::to_string(place.block);
    return {filled(pattern, {number}), filled(tr(pattern), {number})};
}

ImU32 bar_colour(const Theme& t, const ValueSpread& h, double from, double to) {
    if (from <= 0.0 && to >= 0.0 && h.from < 0.0) return mix(t.card, t.text_faint, 0.6f);  // around zero
    const double range = std::max(std::abs(h.from), std::abs(h.to)), middle = (from + to) / 2;
    const float strength = std::max(faintest_bar, to_float(std::abs(middle) / std::max(range, 1e-300)));
    return t.signed_colour(middle < 0.0 ? -strength : strength, 1);
}

void draw_histogram(const Ui& ui, const ValueSpread& h, const Box& plot, bool log_counts) {
    const Theme& t = *ui.theme;
    const auto highest = static_cast<double>(*std::ranges::max_element(h.count));
    draw::horizontal_line(ui, plot.min.x, plot.max.x, plot.max.y, t.control_border);
    if (highest <= 0.0) return;
    const float step = plot.width() / ValueSpread::bins;
    const double wide = (h.to - h.from) / ValueSpread::bins;
    for (int i = 0; i < ValueSpread::bins; ++i) {
        const auto count = static_cast<double>(h.count[i]);
        if (count <= 0.0) continue;
        const double share = log_counts ? std::log1p(count) / std::log1p(highest) : count / highest;
        const float high = std::max(ui.px(1), std::round(plot.height() * to_float(share)));
        const float x = std::round(plot.min.x + step * to_float(i)),
                    end = std::max(x + 1, std::round(plot.min.x + step * to_float(i + 1)));
        const double from = h.from + wide * i;
        ui.list()->AddRectFilled({x, plot.max.y - high}, {end, plot.max.y}, bar_colour(t, h, from, from + wide));
    }
    if (h.from < 0.0 && h.to > 0.0) {
        const float zero = std::round(plot.min.x + plot.width() * to_float(-h.from / (h.to - h.from)));
        draw::vertical_line(ui, zero, plot.max.y, plot.max.y + ui.px(3), t.text_muted);
    }
}

void explain_spread(const Ui& ui, const Box& box, const ParameterHistograms& p, const Column& column) {
    const ValueSpread& h = p.*column.spread;
    std::string text =
        filled(tr("{1} of {2}\n{3}"), {std::string(tr(column.name)), p.name, std::string(tr(column.meaning))});
    text += filled(tr("\nmin {1}, max {2}, mean {3}, σ {4}"),
                   {in_short(h.least), in_short(h.most), in_short(h.mean), in_short(h.deviation)});
    draw::tooltip(ui, box, text);
}

/// The ends of the axis, with as many digits as fit beside each other.
std::pair<std::string, std::string> ends_of(const Ui& ui, const ValueSpread& h, float width) {
    const auto size = [&](const std::string& text) { return draw::text_size(ui, text, FontRole::small).x; };
    std::pair<std::string, std::string> ends;
    for (int digits = 3; digits >= 1; --digits) {
        ends = {in_short(h.least, digits), in_short(h.most, digits)};
        if (size(ends.first) + size(ends.second) + ui.px(6) <= width) break;
    }
    return ends;
}

void draw_spread(const Frame& frame, const ParameterHistograms& p, const Column& column, const Box& box) {
    const Ui& ui = frame.ui;
    const ValueSpread& h = p.*column.spread;
    const float line = ui.line(FontRole::small);
    const Box plot = box.above(box.max.y - line - ui.px(2));
    draw_histogram(ui, h, plot, frame.state.own<TrainingLook>().log_counts);
    const auto [least, most] = ends_of(ui, h, box.width());
    const Box area{{box.min.x, box.max.y - line}, {box.middle_x(), box.max.y}};
    draw::text(ui, area.min, least, {FontRole::small, ui.theme->text_faint});
    draw::text(ui, {box.max.x, area.min.y}, most, {FontRole::small, ui.theme->text_faint, draw::Align::right});
    ui.items->addf(box, h.mean, "training/%s %s", p.name.c_str(), column.name);
    ui.items->addf(area, h.least, "training/%s %s least", p.name.c_str(), column.name);
    ui.items->addf({{area.max.x, area.min.y}, box.max}, h.most, "training/%s %s most", p.name.c_str(), column.name);
    ui.items->addf(plot, h.deviation, "training/%s %s deviation", p.name.c_str(), column.name);
    if (draw::hovered(box)) explain_spread(ui, box, p, column);
}

void draw_name(const Frame& frame, const ParameterHistograms& p, const Box& box) {
    const Ui& ui = frame.ui;
    const float line = ui.line(FontRole::small);
    const NodePlace place = node_place(p.name);
    const auto count = static_cast<double>(p.shape.elements());
    const double norm = std::sqrt(count * (p.weight.deviation * p.weight.deviation + p.weight.mean * p.weight.mean));
    const std::string numbers = filled(tr("norm {1}  σ {2}"), {in_short(norm), in_short(p.weight.deviation)});
    float y = box.min.y;
    const auto next = [&](std::string_view text, const draw::TextStyle& style) {
        const bool cut = draw::text_in(ui, box.between_y(y, y + line), text, style);
        y += line + ui.px(1);
        return cut;
    };
    bool cut = next(place.block >= 0 ? place.within : std::string_view(p.name), {FontRole::small_bold});
    cut |= next(sizes_text(p.shape), {FontRole::small, ui.theme->text_muted});
    cut |= next(numbers, {FontRole::small, ui.theme->text_muted});
    ui.items->addf(box.between_y(y - line, y), norm, "training/%s norm", p.name.c_str());
    if (draw::hovered(box))
        draw::tip(ui, box,
                  filled(tr("{1}{2}\nClick to pick one of its weights and follow it"),
                         {p.name, cut ? ", " + sizes_text(p.shape) + "\n" + numbers : ""}));
}

void draw_row(const Frame& frame, const Table& table, int index, const Box& box) {
    const Ui& ui = frame.ui;
    const ParameterHistograms& p = frame.snapshot.inspection->parameters[index];
    const Response row =
        link_area(ui, ui.items->format("training/row %s", p.name.c_str()), box, item_state(p.shape.elements()), p.name);
    if (row.hovered) draw::rounded_box(ui, box.right_of(box.min.x - ui.px(6)), ui.theme->hover, 0, 6);
    const float top = box.min.y + ui.px(row_gap / 2), bottom = box.max.y - ui.px(row_gap / 2);
    draw_name(frame, p, {{box.min.x, top}, {box.min.x + table.names, bottom}});
    for (std::size_t i = 0; i < table.shown.size(); ++i) {
        const float x = table.x(ui, i);
        draw_spread(frame, p, *table.shown[i], {{x, top}, {x + table.width, bottom}});
    }
    if (!row.clicked) return;
    frame.state.own<TrainingLook>().picking = index;
    frame.state.own<TrainingLook>().typed = {};
}

/// Draws the names of the columns, which stay above the rows; returns the bottom.
float draw_histogram_heading(const Frame& frame, const Table& table, const Box& box) {
    const Ui& ui = frame.ui;
    const float line = ui.line(FontRole::small), bottom = box.min.y + std::max(line, ui.px(18));
    checkbox(ui, "training/log counts", {box.min.x, box.min.y}, tr("log counts"),
             frame.state.own<TrainingLook>().log_counts);
    for (std::size_t i = 0; i < table.shown.size(); ++i) {
        const Column& column = *table.shown[i];
        const ImVec2 at{table.x(ui, i), bottom - line}, end{at.x + table.width, bottom};
        draw::text_in(ui, {at, end}, tr(column.name), {FontRole::small_bold, ui.theme->text_muted});
        if (draw::hovered({at, end})) draw::tip(ui, {at, end}, tr(column.meaning));
    }
    draw::horizontal_line(ui, box.min.x, box.max.x, bottom + ui.px(4), ui.theme->card_border);
    return bottom + ui.px(5);
}

float draw_block_title(const Ui& ui, std::string_view title, ImVec2 at, bool visible) {
    const float line = ui.line(FontRole::small_bold);
    if (visible) draw::text(ui, {at.x, at.y + ui.px(8)}, title, {FontRole::small_bold, ui.theme->residual_text});
    return line + ui.px(10);
}

/// The squared norm of a parameter's gradient.
double squared_gradient(const ParameterHistograms& p) {
    if (!p.has_gradient) return 0.0;
    return static_cast<double>(p.shape.elements()) *
           (p.gradient.deviation * p.gradient.deviation + p.gradient.mean * p.gradient.mean);
}

/// The norm of each block's gradient: how much of what the loss asks for reaches the first layers.
struct BlockGradients {
    std::vector<double> norms;
    double largest = 0.0;

    explicit BlockGradients(const std::vector<ParameterHistograms>& all) {
        for (std::size_t i = 0; i < all.size(); ++i) {
            if (i == 0 || !same_part(all[i], all[i - 1])) norms.push_back(0.0);
            norms.back() += squared_gradient(all[i]);
        }
        for (double& norm : norms) norm = std::sqrt(norm), largest = std::max(largest, norm);
    }
};

/// Draws the norm right of the block's title, as a bar that can be compared with those of the other blocks.
void draw_gradient_norm(const Frame& frame, const Table& table, const BlockGradients& gradients, std::size_t block,
                        const std::string& name, float top) {
    const Ui& ui = frame.ui;
    const double norm = gradients.norms[block];
    const float line = ui.line(FontRole::small), left = table.x(ui, 0), right = left + ui.px(220);
    const std::string text = filled(tr("gradient norm {1}"), {in_short(norm)});
    const float words = draw::text_size(ui, tr("gradient norm 0.000000"), FontRole::small).x;
    const ImVec2 at{left, top + ui.px(8)}, end{right + words, at.y + line};
    draw::text_in(ui, {at, {left + words, end.y}}, text, {FontRole::small, ui.theme->text_muted});
    const float middle = at.y + line / 2;
    draw::bar(ui, {{left + words + ui.px(6), middle - ui.px(3)}, {end.x, middle + ui.px(3)}},
              to_float(norm / std::max(gradients.largest, 1e-300)), ui.theme->residual, ui.theme->track);
    ui.items->addf({at, end}, norm, "training/gradient norm %s", name.c_str());
    if (draw::hovered({at, end}))
        draw::tooltip(ui, {at, end},
                      tr("Norm of this part's gradient in the newest update\nWithout residual connections, little of "
                         "it reaches the first blocks: the gradient vanishes."));
}

/// Draws all rows under the titles of their blocks, but only those that are visible. Returns the bottom.
float draw_rows(const Frame& frame, const Table& table, const Box& box) {
    const Ui& ui = frame.ui;
    const auto& all = frame.snapshot.inspection->parameters;
    const ImVec2 from = ui.list()->GetClipRectMin(), to = ui.list()->GetClipRectMax();
    const float height = histogram_height(ui);
    const auto in_sight = [&](float top, float tall) { return ui.every_row || (top + tall >= from.y && top <= to.y); };
    const BlockGradients gradients(all);
    std::size_t blocks = 0;
    float y = box.min.y;
    for (std::size_t i = 0; i < all.size(); ++i) {
        if (i == 0 || !same_part(all[i], all[i - 1])) {
            const bool last = std::none_of(all.begin() + static_cast<std::ptrdiff_t>(i), all.end(),
                                           [](const ParameterHistograms& p) { return node_place(p.name).block >= 0; });
            const PartTitle title = block_title(node_place(all[i].name), i == 0, last);
            if (all[i].has_gradient && in_sight(y, height))
                draw_gradient_norm(frame, table, gradients, blocks, title.name, y);
            ++blocks;
            y += draw_block_title(ui, title.shown, {box.min.x, y}, in_sight(y, height));
        }
        const Box row = box.between_y(y, y + height);
        if (in_sight(y, height))
            draw_row(frame, table, static_cast<int>(i), row);
        else
            ui.items->addf(row, std::nullopt, "training/row %s", all[i].name.c_str());
        y += height;
    }
    return y;
}

}  // namespace

void draw_training_histograms(const Frame& frame, const Box& box) {
    const Ui& ui = frame.ui;
    Box inside = box.inset(ui.px(histogram_side), 0);
    const Inspection* found = inspection_for(frame, Inspected::histograms);
    if (!found) return;  // comes with one of the next frames
    if (found->parameters.empty())
        return draw_not_yet(frame, inside, tr("and its parameters appear here."), found->missing);
    const Table table(ui, inside, found->parameters.front());
    if (!found->parameters.front().has_gradient) {
        draw_not_yet(frame, inside, tr("and the gradients and the optimizer's state appear beside the weights."),
                     found->missing);
        inside.min.y += ui.line(FontRole::small) * 2 + ui.px(6);
    }
    const float top = draw_histogram_heading(frame, table, inside);
    ScrollPage page(ui, "##training parameters", box.below(top));
    page.reaches(draw_rows(frame, table, page.inside()));
}

}  // namespace glassformer::app::views::training
