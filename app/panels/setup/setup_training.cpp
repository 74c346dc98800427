#include <algorithm>
#include <array>
#include <cmath>
#include <vector>

#include "app/language/tr.h"
#include "app/panels/setup/setup_sections.h"
#include "core/base/number_text.h"

namespace glassformer::app {

namespace {

constexpr std::array<double, 19> setup_rates{1e-6, 1e-5, 2e-5, 5e-5, 1e-4, 2e-4, 5e-4, 1e-3, 2e-3, 5e-3,
                                             1e-2, 2e-2, 5e-2, 0.1,  0.2,  0.5,  1,    2,    5};
constexpr std::array<double, 8> momenta{0, 0.5, 0.8, 0.9, 0.95, 0.98, 0.99, 0.999};
constexpr std::array<double, 8> setup_decays{0, 1e-4, 1e-3, 0.01, 0.02, 0.05, 0.1, 0.5};
constexpr std::array<double, 7> floors{0, 0.01, 0.05, 0.1, 0.2, 0.5, 1};
constexpr std::array<double, 8> clips{0.1, 0.2, 0.5, 1, 2, 5, 10, 1000};
constexpr std::array<double, 11> setup_batches{1, 2, 4, 8, 16, 32, 64, 128, 256, 512, 1024};
constexpr std::array<double, 13> lengths{100, 200, 300, 500, 800, 1200, 2000, 3000, 5000, 8000, 12000, 20000, 50000};
constexpr std::array<double, 10> warmups{0, 10, 20, 50, 100, 200, 400, 800, 2000, 4000};
constexpr float schedule_height = 54;  // pixels at 100 %

/// Draws the learning rate over all steps.
float draw_schedule(const Frame& frame, const Box& box, std::string_view prefix, const Schedule& schedule) {
    const Ui& ui = frame.ui;
    const Theme& t = *ui.theme;
    const Box plot = box.top(ui.px(schedule_height));
    draw::rounded_box(ui, plot, t.background, t.card_border, 4);
    const float inset = ui.px(6);
    const auto total = static_cast<double>(std::max<std::int64_t>(schedule.total, 1));
    std::vector<ImVec2> points;
    const int columns = std::clamp(static_cast<int>(plot.width() / ui.px(3)), 2, 400);
    for (int i = 0; i <= columns; ++i) {
        const double share = static_cast<double>(i) / columns;
        const float rate = schedule.at(std::max<std::int64_t>(1, std::llround(share * total)));
        const float height = schedule.peak > 0 ? std::clamp(rate / schedule.peak, 0.0f, 1.0f) : 0.0f;
        points.push_back({plot.min.x + inset + (plot.width() - 2 * inset) * to_float(share),
                          plot.max.y - inset - (plot.height() - 2 * inset) * height});
    }
    draw::line(ui, points, t.accent, ui.px(2));
    const float y = plot.max.y + ui.px(2), line = ui.line(FontRole::small);
    const std::string_view label = ui.items->format("%.*s/schedule plot", int_size(prefix), prefix.data());
    ui.items->add(label, plot, schedule.at(1));
    if (draw::hovered(plot))
        draw::tip(
            ui, plot,
            filled(tr("The learning rate from the first step to the last\n{1}"), {std::string(schedule.formula())}));
    draw::text_in(ui, plot.between_y(y, y + line), tr("step 1"), {FontRole::small, t.text_faint});
    draw::text_in(ui, plot.between_y(y, y + line), ui.items->format("%lld", static_cast<long long>(schedule.total)),
                  {FontRole::small, t.text_faint, draw::Align::right});
    return schedule_height * ui.scale + line + ui.px(10);
}

void draw_optimizer(FieldColumn& column, OptimizerOptions& o) {
    column.heading(tr("OPTIMIZER"), "optimizer");
    column.choice(N_("optimizer"), o.kind, "optimizer");
    if (o.kind == OptimizerKind::momentum)
        column.number(N_("momentum"), o.momentum, {momenta}, tr("Share of the last step that is kept."), "momentum");
    if (o.kind == OptimizerKind::adam || o.kind == OptimizerKind::adamw) {
        column.number("β₁", o.beta1, {momenta}, tr("How long gradients are averaged in m."), "momentum");
        column.number("β₂", o.beta2, {momenta}, tr("How long squared gradients are averaged in v."));
    }
    column.number(N_("weight decay"), o.weight_decay, {setup_decays}, tr("Moves every matrix a little towards 0."),
                  "weight decay");
}

void draw_schedule_fields(const Frame& frame, FieldColumn& column, const Box& box, std::string_view prefix,
                          Schedule& s) {
    column.heading(tr("LEARNING RATE"), "schedule");
    column.number(N_("peak"), s.peak, {setup_rates}, tr("How far a step moves the parameters, at most."),
                  "learning rate");
    column.choice(N_("schedule"), s.kind, "schedule");
    if (s.kind != ScheduleKind::constant) {
        column.number(N_("warm-up"), s.warmup, {warmups},
                      tr("Steps until the peak, while m and v are not reliable yet."), "warm-up");
        column.number(N_("floor"), s.floor, {floors}, tr("Share of the peak that is left at the end."));
    }
    column.number(N_("steps"), s.total, {lengths}, tr("Length of the schedule. Training may continue after it."),
                  "schedule");
    column.space(draw_schedule(frame, box.below(column.y()), prefix, s) / frame.ui.scale);
}

/// Says how many sentences the share is; blank until the worker has reported it for this share, and if the worker
/// rejects the share.
std::string data_share_line(const SetupPreview& preview, float share) {
    if (preview.trained_on == 0 || preview.setup.options.data_share != share) return " ";
    const bool text = !preview.units.empty();
    const std::string_view pattern =
        share == 1.0f ? (text ? tr("1: all {2} tokens are trained on.") : tr("1: all {2} sentences are trained on."))
        : text        ? tr("The first {1} of {2} tokens are trained on. The held-out data are the same.")
                      : tr("{1} of {2} sentences are trained on. The held-out data are the same.");
    return filled(std::string(pattern), {grouped(preview.trained_on), grouped(preview.training_size)});
}

/// A world that generates every sentence anew has no share.
void draw_data_share(const Frame& frame, FieldColumn& column, const Box& box, std::string_view prefix,
                     TrainingSetup& setup) {
    static constexpr std::array<double, 4> shares{0.1, 0.25, 0.5, 1};
    const auto& preview = frame.snapshot.preview;
    if (!preview || preview->setup.world != setup.world || preview->training_size == 0) return;
    float& share = setup.options.data_share;
    const std::string line = data_share_line(*preview, share);
    const float top = column.y();
    column.number(N_("data share"), share, {shares, 1e-6}, line);
    frame.ui.items->add(frame.ui.items->format("%.*s/trained on", int_size(prefix), prefix.data()),
                        box.between_y(top, column.y()), {}, line);
}

}  // namespace

float draw_training_fields(const Frame& frame, const Box& box, std::string_view prefix, TrainingSetup& setup,
                           bool all) {
    TrainOptions& o = setup.options;
    FieldColumn column(frame, box, prefix);
    draw_optimizer(column, o.optimizer);
    draw_schedule_fields(frame, column, box, prefix, o.schedule);
    column.heading(tr("EACH STEP"));
    column.number(N_("batch"), o.batch, {setup_batches, 1},
                  tr("Sentences per step. A larger batch is steadier and slower."), "batch");
    column.number(N_("clip"), o.clip, {clips}, tr("A gradient longer than this is shortened to it."), "clipping");
    if (!all) {
        static constexpr std::array<double, 6> shares{0, 0.05, 0.1, 0.2, 0.3, 0.5};
        column.number(N_("dropout"), setup.config.dropout, {shares}, tr("Share of numbers set to 0 at random."),
                      "dropout");
        return column.y();
    }
    static constexpr std::array<double, 9> tokens{0, 4, 6, 8, 10, 12, 16, 24, 32};
    column.number(N_("longest"), o.longest, {tokens},
                  o.longest == 0
                      ? tr("0: sentences of any length are trained on.")
                      : tr("Longer sentences are left out of the training. The model can read them afterwards."));
    draw_data_share(frame, column, box, prefix, setup);
    column.number(N_("seed"), o.seed, {}, tr("The start of all random choices: the same seed gives the same training."),
                  "seed");
    return column.y();
}

}  // namespace glassformer::app
