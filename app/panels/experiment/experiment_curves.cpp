#include <algorithm>
#include <cmath>
#include <map>

#include "app/language/sentences.h"
#include "app/language/tr.h"
#include "app/panels/experiment/experiment_page.h"
#include "app/panels/experiment/experiment_parts.h"
#include "app/panels/runs/run_colours.h"
#include "core/base/number_text.h"

namespace glassformer::app {

namespace {

std::span<const MetricPoint> points_of_run(const ExperimentInfo::Run& run) {
    return run.now.log ? std::span<const MetricPoint>(*run.now.log) : std::span<const MetricPoint>();
}

/// Groups runs that differ only in their seed, by index. Each group gets a band.
std::vector<std::vector<std::size_t>> seed_groups(const ExperimentInfo& experiment) {
    std::vector<std::vector<std::size_t>> groups;
    const std::vector<Knob>& knobs = experiment.plan.knobs;
    const std::size_t inner = knobs.size() == 2 ? knobs[1].values.size() : 1;
    std::map<std::size_t, std::vector<std::size_t>> by;
    for (std::size_t i = 0; i < experiment.runs.size(); ++i) {
        if (knobs[0].name == "seed")
            by[i % inner].push_back(i);
        else if (knobs.size() == 2 && knobs[1].name == "seed")
            by[i / inner].push_back(i);
    }
    for (auto& [value, runs] : by)
        if (runs.size() > 1) groups.push_back(std::move(runs));
    return groups;
}

/// Fills the area between the lowest and the highest of several lines, at the x positions that all of them have.
void draw_seed_band(const Ui& ui, const std::vector<const std::vector<ImVec2>*>& lines, ImU32 colour) {
    std::vector<ImVec2> low, high;
    for (const ImVec2& point : *lines.front()) {
        float top = point.y, bottom = point.y;
        bool all = true;
        for (const std::vector<ImVec2>* line : lines) {
            const auto at = std::ranges::lower_bound(*line, point.x, {}, &ImVec2::x);
            all = all && at != line->end() && std::abs(at->x - point.x) < 1.5f;
            if (all) top = std::min(top, at->y), bottom = std::max(bottom, at->y);
        }
        if (!all) continue;
        high.push_back({point.x, top});
        low.push_back({point.x, bottom});
    }
    for (std::size_t i = 1; i < low.size(); ++i)
        ui.list()->AddQuadFilled(high[i - 1], high[i], low[i], low[i - 1], colour);
}

/// "93 % ± 2.2 over 6 seeds": mean and standard deviation of one group's newest figures, and their steps if these are
/// not the last. `brief`: "93 % ± 2.2". Both are empty if there are fewer than two figures.
struct SeedSpread {
    std::string whole, brief;
};
SeedSpread spread_of_seeds(const ExperimentInfo& experiment, const std::vector<std::size_t>& group) {
    std::vector<double> values;
    std::vector<std::int64_t> steps;
    for (const std::size_t i : group) {
        const SideRun& now = experiment.runs[i].now;
        if (now.found) values.push_back(now.found->value), steps.push_back(now.measured_step);
    }
    if (values.size() < 2) return {};
    double mean = 0.0, squares = 0.0;
    for (const double v : values) mean += v / static_cast<double>(values.size());
    for (const double v : values) squares += (v - mean) * (v - mean);
    const double sd = std::sqrt(squares / static_cast<double>(values.size() - 1));
    const bool share = experiment.model->metric_is_share;
    const std::string middle = metric_text(*experiment.model, mean),
                      deviation = share ? with_decimals(100.0 * sd, 1) : significant(sd, 2),
                      whole =
                          filled(tr("{1} ± {2} over {3} seeds"), {middle, deviation, std::to_string(values.size())}),
                      brief = middle + " ± " + deviation;
    const auto [first, last] = std::ranges::minmax(steps);
    if (first != last) return {filled(tr("{1}, steps {2} to {3}"), {whole, grouped(first), grouped(last)}), brief};
    const bool at_end = first == experiment.runs[group.front()].setup.options.schedule.total;
    return {at_end ? whole : filled(tr("{1}, step {2}"), {whole, grouped(first)}), brief};
}

struct ExperimentExtent {
    double steps = 1;
    float loss = 0.0f, metric = 0.0f;
};

/// A diverging run would flatten all others, so the axis ends at 1.5 times the largest first loss.
ExperimentExtent extent_of(const ExperimentInfo& experiment) {
    ExperimentExtent e;
    float first = 0.0f;
    for (const ExperimentInfo::Run& run : experiment.runs) {
        const std::span<const MetricPoint> points = points_of_run(run);
        e.steps = std::max(e.steps, static_cast<double>(run.setup.options.schedule.total));
        if (points.empty()) continue;
        if (std::isfinite(points.front().loss)) first = std::max(first, points.front().loss);
        if (const float largest = largest_loss(points); std::isfinite(largest)) e.loss = std::max(e.loss, largest);
        e.metric = std::max(e.metric, largest_metric(points));
    }
    if (first > 0) e.loss = std::min(e.loss, 1.5f * first);
    for (float* none : {&e.loss, &e.metric})
        if (*none <= 0.0f) *none = 1.0f;
    return e;
}

void draw_experiment_axes(const Ui& ui, const TrainingPlot& plot, const ModelInfo* metric) {
    const double step = round_distance(plot.y.high, 3);
    for (double v = 0; v <= plot.y.high * 1.001; v += step)
        draw_y_tick(ui, plot, v, metric ? metric_text(*metric, v) : typed_number(v, 2), ui.theme->text_faint);
    const double half = plot.x.high / 2;
    draw_x_label(ui, plot, 0, "0", ui.theme->text_faint);
    draw_x_label(ui, plot, half, typed_number(std::round(half)), ui.theme->text_faint);
    draw_x_label(ui, plot, plot.x.high, typed_number(plot.x.high), ui.theme->text_faint, draw::Align::right);
}

void draw_experiment_lines(const Frame& frame, const ExperimentInfo& experiment, const std::vector<Curves>& curves,
                           bool metric, const Box& clip) {
    const Ui& ui = frame.ui;
    const auto line = [&](std::size_t i) -> const std::vector<ImVec2>& {
        return metric ? curves[i].accuracy : curves[i].loss;
    };
    ui.list()->PushClipRect(clip.min, clip.max, true);
    for (const std::vector<std::size_t>& group : seed_groups(experiment)) {
        std::vector<const std::vector<ImVec2>*> lines;
        for (const std::size_t i : group)
            if (!line(i).empty()) lines.push_back(&line(i));
        if (lines.size() > 1) draw_seed_band(ui, lines, with_alpha(colour_of_run(frame, group.front()), 0.13f));
    }
    const int chosen = frame.own<ExperimentState>().reference;
    for (std::size_t i = 0; i < experiment.runs.size(); ++i) {
        const float thick = ui.px(static_cast<int>(i) == chosen ? 2.5f : 1.5f);
        draw_series(ui, line(i),
                    {.colour = colour_of_run(frame, i),
                     .thickness = thick,
                     .dashed = i >= run_colour_count,
                     .dot = line(i).size() == 1 ? ui.px(3) : 0});  // measured only once
    }
    ui.list()->PopClipRect();
}

}  // namespace

ImU32 colour_of_run(const Frame& frame, std::size_t run) {
    return run_metric_colour(*frame.ui.theme, static_cast<int>(run));
}

void draw_experiment_curves(const Frame& frame, const ExperimentInfo& experiment, const Box& box) {
    const Ui& ui = frame.ui;
    ExperimentState& s = frame.own<ExperimentState>();
    draw::card(ui, box);
    const ExperimentExtent extent = extent_of(experiment);
    const ModelInfo& model = *experiment.model;
    const bool two = !model.metric_name.empty();
    const Box inside = box.inset(ui.px(14), ui.px(8));
    const auto part = [&](int index) {
        Box half = two ? inside.column(index, 2, ui.px(28)) : inside;
        half.cut_top(ui.line(FontRole::body_bold), ui.px(8));
        return Box{{half.min.x + ui.px(44), half.min.y},
                   {half.max.x, half.max.y - ui.line(FontRole::small) - ui.px(2)}};
    };
    TrainingPlot loss, metric;
    loss.box = part(0);
    loss.x = metric.x = {0, extent.steps};
    loss.y = {0, static_cast<double>(extent.loss)};
    metric.box = part(1);
    metric.y = metric.metric = {0, model.metric_is_share ? 1.0 : static_cast<double>(extent.metric)};
    if (s.curves_of != experiment_of(frame) || !(s.curves_in == box)) {
        s.curves_of = experiment_of(frame);
        s.curves_in = box;
        s.losses.clear();
        s.metrics.clear();
        for (const ExperimentInfo::Run& run : experiment.runs) {
            s.losses.push_back(make_curves(points_of_run(run), loss));
            s.metrics.push_back(make_curves(points_of_run(run), metric));
        }
    }
    const auto heading = [&](int index, const std::string& text, const SeedSpread& spread) {
        const Box half = two ? inside.column(index, 2, ui.px(28)) : inside;
        Box row = half.top(ui.line(FontRole::body_bold));
        if (!spread.whole.empty()) {
            const float room = row.width() - draw::text_size(ui, text, FontRole::body_bold).x - ui.px(8);
            const std::string right(draw::first_fitting(ui, room, {spread.whole, spread.brief}, FontRole::small));
            draw::label(ui, row.cut_right(draw::text_size(ui, right, FontRole::small).x, ui.px(8)), right,
                        {FontRole::small, ui.theme->text_muted, draw::Align::right},
                        {"experiment/spread", {}, spread.whole});
        }
        draw::text_told(ui, row, text, {FontRole::body_bold});
    };
    heading(0, tr("Loss"), {});
    draw_experiment_axes(ui, loss, nullptr);
    draw_experiment_lines(frame, experiment, s.losses, false, loss.box);
    if (!two) return;
    const auto groups = seed_groups(experiment);
    heading(1, tr_sentence(model.metric_name),
            groups.size() == 1 ? spread_of_seeds(experiment, groups.front()) : SeedSpread());
    draw_experiment_axes(ui, metric, &model);
    draw_experiment_lines(frame, experiment, s.metrics, true, Box{metric.box.min, metric.box.max}.inset(-ui.px(2)));
}

}  // namespace glassformer::app
