#include <algorithm>
#include <array>
#include <cmath>
#include <cstdlib>
#include <iterator>
#include <span>
#include <vector>

#include "app/language/sentences.h"
#include "app/language/tr.h"
#include "app/ui/plot.h"
#include "app/ui/scroll_page.h"
#include "app/views/training/cost_study.h"
#include "app/views/training/training_pages.h"
#include "core/base/number_text.h"

namespace glassformer::app::views::training {

namespace {

// Pixels at 100 %.
constexpr float control_height = 26, plot_most = 260, plot_least = 120, table_least = 330, table_most = 420, gap = 24,
                beside_from = 760;
constexpr float least_log = 4, most_log = 15;  // 16 to 32,768 tokens
constexpr int most_words = 1 << 20;            // that one can type
constexpr std::array<std::string_view, 2> subjects = {N_("One block, timed"), N_("A whole model")};
constexpr std::array<std::string_view, 4> widths = {"32", "64", "128", "256"};
constexpr std::array width_of = {32, 64, 128, 256};
constexpr std::array<std::string_view, 4> head_widths = {"8", "16", "32", "64"};
constexpr std::array head_width_of = {8, 16, 32, 64};
constexpr int heads = 4;

/// The settings of the page.
struct CostLook {
    float log_words = 9;
    int exact_words = 0;  // as typed; 0: use the slider
    std::string typed;
    int width = 1, head_width = 1;
    std::shared_ptr<CostStudy> study;
    std::vector<std::shared_ptr<CostStudy>> ending;  // of earlier sizes, until they have stopped: nobody waits for them

    void measure(const LayerSizes& sizes) {
        std::erase_if(ending, [](const auto& former) { return former->done(); });
        if (study && study->sizes() == sizes) return;
        if (study) {
            study->stop();
            ending.push_back(std::move(study));
        }
        study = std::make_shared<CostStudy>(sizes);
    }
    LayerSizes sizes() const { return {width_of[width], heads, head_width_of[head_width]}; }
    /// A power of two, or halfway to the next one: 512, 768, 1,024. So each of them can be hit with the slider.
    int words() const {
        if (exact_words > 0) return exact_words;
        const float octave = std::floor(log_words), beyond = log_words - octave, middle = std::log2(1.5f);
        const double of_octave = beyond < middle / 2 ? 1 : beyond < (middle + 1) / 2 ? 1.5 : 2;
        return static_cast<int>(std::lround(of_octave * std::exp2(static_cast<double>(octave))));
    }
};

/// One part of the layer: a curve, and a row of the table.
struct Part {
    const char *item, *name, *grows;
    double CostPoint::*time;
};
constexpr std::array parts = {
    Part{"attention", N_("attention"), N_("T² · K"), &CostPoint::attention},
    Part{"mlp", N_("MLP"), N_("T · d²"), &CostPoint::mlp},
    Part{"rnn", N_("RNN, token by token"), N_("T · d²"), &CostPoint::recurrent},
};

ImU32 cost_colour(const Theme& t, std::size_t part) { return part == 0 ? t.attention : part == 1 ? t.mlp : t.residual; }

std::string time_text(double milliseconds, bool measured) {
    return (measured ? "" : "≈ ") + duration(milliseconds / 1000);
}

/// The length from which on attention takes longer than the MLP; 0 if there is none up to the slider's maximum.
int crossing(const std::vector<CostPoint>& points) {
    for (float log = least_log; log <= most_log; log += 0.02f) {
        const int words = static_cast<int>(std::lround(std::exp2(log)));
        const auto at = cost_at(points, words);
        if (at && at->cost.attention > at->cost.mlp) return words;
    }
    return 0;
}

void draw_curves(const Ui& ui, const std::vector<CostPoint>& points, int words, const Box& box) {
    const Theme& t = *ui.theme;
    const float line = ui.line(FontRole::small);
    double most = 0;
    if (const auto end = cost_at(points, words))
        for (const Part& part : parts) most = std::max(most, end->cost.*part.time);
    const Plot plot{{{box.min.x + ui.px(2), box.min.y + line}, {box.max.x, box.max.y - line - ui.px(4)}},
                    {0, static_cast<double>(words)},
                    {0, most}};
    const Box& inside = plot.box;
    draw::text_in(ui, box.above(inside.min.y), time_text(std::max(most, 1e-6), true), {FontRole::small, t.text_muted});
    draw::horizontal_line(ui, inside.min.x, inside.max.x, inside.max.y, t.grid);
    draw::vertical_line(ui, inside.min.x, inside.min.y, inside.max.y, t.grid);
    draw_x_label(ui, plot, 0, "0", t.text_muted, draw::Align::left);
    draw_x_label(ui, plot, words, filled(tr("T = {1} tokens"), {grouped(words)}), t.text_muted, draw::Align::right);
    if (most <= 0) return;
    const auto place = [&](const CostPoint& at, const Part& part) { return plot.at(at.words, at.*part.time); };
    constexpr int pieces = 96;
    for (std::size_t p = 0; p < parts.size(); ++p) {
        std::vector<ImVec2> known, beyond;
        for (int i = 0; i <= pieces; ++i) {
            const int at = std::max(1, words * i / pieces);
            if (at < points.front().words) continue;
            const auto cost = cost_at(points, at);
            (cost->measured_range ? known : beyond).push_back(place(cost->cost, parts[p]));
        }
        const ImU32 colour = cost_colour(t, p);
        draw_series(ui, known, {colour, ui.px(2)});
        if (!known.empty() && !beyond.empty()) beyond.insert(beyond.begin(), known.back());
        draw_series(ui, beyond, {colour, ui.px(2), true});
        for (const CostPoint& point : points)
            if (point.words <= words) ui.list()->AddCircleFilled(place(point, parts[p]), ui.px(3), colour);
    }
}

/// Draws a name, what it grows with, and its number.
float draw_cost_line(const Ui& ui, ImU32 colour, std::string_view name, std::string_view grows, std::string_view item,
                     double value, const std::string& text, const Box& box) {
    const float line = ui.line(FontRole::small) + ui.px(5), middle = box.min.y + line / 2;
    if (colour) ui.list()->AddCircleFilled({box.min.x + ui.px(5), middle}, ui.px(4), colour);
    const float left = box.min.x + ui.px(16), width = box.max.x - left;
    const Box row = box.top(line);
    draw::text_in(ui, row.between_x(left, left + width * (grows.empty() ? 0.69f : 0.46f)), name, {FontRole::small});
    draw::text_in(ui, row.between_x(left + width * 0.47f, left + width * 0.7f), grows,
                  {FontRole::small, ui.theme->text_muted});
    draw::text_in(ui, row.right_of(left + width * 0.7f), text, {FontRole::small_bold, 0, draw::Align::right});
    ui.items->add(item, row, value, text);
    return row.max.y;
}

float draw_table(const Ui& ui, const CostStudy& study, const EstimatedCost& at, const Box& box) {
    const Theme& t = *ui.theme;
    float y = box.min.y;
    const auto next = [&](ImU32 colour, std::string_view name, std::string_view grows, std::string_view item,
                          double value, const std::string& text) {
        y = draw_cost_line(ui, colour, name, grows, item, value, text, box.below(y));
    };
    for (std::size_t p = 0; p < parts.size(); ++p)
        next(cost_colour(t, p), tr(parts[p].name), tr(parts[p].grows), ui.items->format("cost/%s", parts[p].item),
             at.cost.*parts[p].time, time_text(at.cost.*parts[p].time, at.measured_range));
    const LayerSizes& sizes = study.sizes();
    const double words = at.cost.words, pairs = words * words;
    const double attention = 2 * pairs * sizes.n_heads * sizes.d_head, mlp = 2 * words * sizes.d_model * sizes.d_mlp();
    next(0, tr("attention: products"), std::to_string(2 * sizes.n_heads) + "T² · K", "cost/attention multiplications",
         attention, grouped(static_cast<std::int64_t>(attention)));
    next(0, tr("MLP: products"), std::to_string(2 * sizes.d_mlp() / sizes.d_model) + "T · d²",
         "cost/mlp multiplications", mlp, grouped(static_cast<std::int64_t>(mlp)));
    next(0, tr("pairs of tokens"), "T²", "cost/pairs", pairs, grouped(static_cast<std::int64_t>(pairs)));
    const double bytes = 4 * pairs * sizes.n_heads;
    next(0, tr("attention weights"), std::to_string(sizes.n_heads) + "T²", "cost/memory", bytes, bytes_text(bytes));
    y += ui.px(6);
    next(0, tr("one pass over all"), "", "cost/pass", at.cost.attention + at.cost.mlp,
         time_text(at.cost.attention + at.cost.mlp, at.measured_range));
    next(0, tr("generating one by one"), "", "cost/writing", at.cost.words * at.cost.written,
         time_text(at.cost.words * at.cost.written, at.measured_range));
    return y;
}

std::string sentence(const std::vector<CostPoint>& points, const LayerSizes& sizes) {
    const int from = crossing(points);
    const std::string d = std::to_string(sizes.d_model), k = std::to_string(sizes.d_head);
    return from == 0 ? filled(tr("With d = {1} and K = {2} the MLP takes longer than attention up to {3} tokens."),
                              {d, k, grouped(1 << static_cast<int>(most_log))})
                     : filled(tr("With d = {1} and K = {2} attention takes longer than the MLP in texts of more than "
                                 "about {3} tokens. In shorter texts the MLP costs more."),
                              {d, k, grouped(from)});
}

/// Draws the length as a number that one can type over.
void draw_length_field(const Ui& ui, CostLook& look, const Box& box) {
    if (!is_typed_into(ui, "cost/length")) look.typed = grouped(look.words());
    if (!text_field(ui, "cost/length", box, look.typed, {}, nullptr, SelectAll::always)) return;
    std::string digits;
    std::ranges::copy_if(look.typed, std::back_inserter(digits), [](char c) { return c >= '0' && c <= '9'; });
    const std::int64_t typed = digits.size() > 9 ? most_words : std::atoll(digits.c_str());
    if (typed > 0) look.exact_words = static_cast<int>(std::min<std::int64_t>(typed, most_words));
}

/// Draws what is shown, and at which length; returns the bottom.
float draw_subject(const Frame& frame, CostLook& look, const Box& box) {
    const Ui& ui = frame.ui;
    const Box top = box.top(ui.px(control_height));
    const Box subject = top.left(std::min(top.width(), ui.px(260)));
    bool& whole_model = frame.own<TrainingLook>().whole_model;
    segmented(ui, "cost/of", subject, subjects, whole_model);
    Box row = box.below(top.max.y + ui.px(6)).top(ui.px(control_height));
    const char* const name = tr("tokens T");
    draw::text_in(ui, row.cut_left(draw::text_size(ui, name, FontRole::small).x, ui.px(8)), name,
                  {FontRole::small, ui.theme->text_muted});
    if (slider(ui, "cost/T", row.cut_left(ui.px(160), ui.px(10)), look.log_words, least_log, most_log))
        look.exact_words = 0;
    draw_length_field(ui, look, row.cut_left(ui.px(84), ui.px(10)));
    const int here = static_cast<int>(frame.sentence(0).tokens.size());
    const std::string of_sentence = filled(tr("as A: {1}"), {std::to_string(here)});
    ImVec2 at = row.min;
    if (here > 0 && chip(ui, "cost/as A", at, row.height(), of_sentence, {.selected = look.words() == here}))
        look.exact_words = here;
    if (whole_model) draw_budget_choices(frame, top.right_of(subject.max.x + ui.px(10)), row.right_of(at.x + ui.px(8)));
    return row.max.y + ui.px(6);
}

float draw_controls(const Frame& frame, CostLook& look, const Box& box) {
    const Ui& ui = frame.ui;
    const float height = ui.px(control_height), middle = box.min.y + (height - ui.line(FontRole::small)) / 2;
    float x = box.min.x;
    float y = box.min.y;
    const auto choose = [&](std::string_view name, std::string_view item, std::span<const std::string_view> options,
                            int& chosen) {
        const float choice = ui.px(180), before = draw::text_size(ui, name, FontRole::small).x + ui.px(8);
        if (x + before + choice > box.max.x) x = box.min.x, y += height + ui.px(6);
        draw::text(ui, {x, y + middle - box.min.y}, name, {FontRole::small, ui.theme->text_muted});
        segmented(ui, item, {{x + before, y}, {x + before + choice, y + height}}, options, chosen, options);
        x += before + choice + ui.px(20);
    };
    choose(tr("width d"), "cost/width", widths, look.width);
    choose(tr("key width K"), "cost/K", head_widths, look.head_width);
    return y + height + ui.px(8);
}

}  // namespace

void draw_training_cost(const Frame& frame, const Box& box) {
    const Ui& ui = frame.ui;
    CostLook& look = frame.own<CostLook>();
    ScrollPage page(ui, "##training cost", box);
    const Box& inside = page.inside();
    float y = draw_subject(frame, look, inside);
    if (frame.own<TrainingLook>().whole_model)
        return page.reaches(draw_model_budget(frame, look.words(), inside.below(y)));
    y = draw_controls(frame, look, inside.below(y));
    const LayerSizes sizes = look.sizes();
    look.measure(sizes);
    const std::vector<CostPoint> points = look.study->points();
    if (!look.study->done()) frame.state.more_to_compute = true;
    const std::string what =
        filled(tr("Dots: one layer of width d = {1} with {2} head, whose queries, keys and values have K = {3} "
                  "dimensions, timed on one core of this machine just now. Dashed: what the formulas predict.",
                  "Dots: one layer of width d = {1} with {2} heads, whose queries, keys and values have K = {3} "
                  "dimensions, timed on one core of this machine just now. Dashed: what the formulas predict.",
                  sizes.n_heads),
               {std::to_string(sizes.d_model), std::to_string(sizes.n_heads), std::to_string(sizes.d_head)});
    y += draw::text_wrapped(ui, {inside.min.x, y}, inside.width(), what, {FontRole::small, ui.theme->text_muted}) +
         ui.px(8);
    if (const std::string why = look.study->done() ? look.study->error() : std::string(); !why.empty())
        y += draw::text_wrapped(ui, {inside.min.x, y}, inside.width(),
                                filled(tr("The measurement ended early: {1}"), {tr_sentence(why)}),
                                {FontRole::small, ui.theme->danger_text}) +
             ui.px(8);
    const auto at = cost_at(points, look.words());
    if (!at) return page.reaches(y);  // comes with one of the next frames
    if (look.study->done()) ui.items->add("cost/measured", inside.above(y), item_state(points.back().words));
    const bool beside = inside.width() >= ui.px(beside_from);
    const float table_width = std::clamp(inside.width() / 3, ui.px(table_least), ui.px(table_most));
    const float right = beside ? inside.max.x - table_width - ui.px(gap) : inside.max.x;
    const float most = beside ? std::max(ui.px(plot_most), (right - inside.min.x) / 2) : ui.px(plot_most);
    const float plot = std::clamp(inside.max.y - y - ui.px(40), ui.px(plot_least), most);
    draw_curves(ui, points, look.words(), {{inside.min.x, y}, {right, y + plot}});
    const ImVec2 table = beside ? ImVec2{right + ui.px(gap), y} : ImVec2{inside.min.x, y + plot + ui.px(10)};
    const float bottom = draw_table(ui, *look.study, *at, {table, {table.x + table_width, inside.max.y}});
    y = std::max(bottom, y + plot) + ui.px(8);
    page.reaches(y +
                 draw::text_wrapped(ui, {inside.min.x, y}, inside.width(), sentence(points, sizes), {FontRole::small}));
}

}  // namespace glassformer::app::views::training
