#include <algorithm>
#include <cmath>

#include "app/common/provenance.h"
#include "app/language/sentences.h"
#include "app/language/tr.h"
#include "app/panels/runs/run_colours.h"
#include "app/panels/timeline/timeline_drawing.h"
#include "core/base/number_text.h"

namespace glassformer::app {

namespace {

constexpr float sample_width = 20, sample_gap = 7, entry_gap = 18;  // pixels at 100 %

struct Entry {
    std::string_view label, text, tooltip;
    std::optional<double> value;
    ImU32 line, colour;
    bool dashed;
};

void draw_entry(const Ui& ui, ImVec2 at, const Entry& entry) {
    const float line = ui.line(FontRole::small_bold) + ui.px(3), sample = ui.px(sample_width);
    const float y = std::floor(at.y + line / 2) + 0.5f, thick = std::max(1.5f, 2 * ui.scale);
    const ImVec2 points[] = {{at.x, y}, {at.x + sample, y}};
    draw_series(ui, points, {entry.line, thick, entry.dashed});
    const float x = at.x + sample + ui.px(sample_gap);
    const Box box{at, {x + draw::text_size(ui, entry.text, FontRole::small_bold).x + 1, at.y + line}};
    draw::text_in(ui, box.right_of(x), entry.text, {FontRole::small_bold, entry.colour});
    ui.items->add(entry.label, box, entry.value, entry.text);
    if (draw::hovered(box)) draw::tip(ui, box, entry.tooltip);
}

}  // namespace

void draw_timeline_legend(const Frame& frame, ImVec2 at, bool beside) {
    const Ui& ui = frame.ui;
    const Theme& t = *ui.theme;
    const std::optional<double> loss = measured_loss(frame.snapshot);
    const ModelInfo& model = *frame.snapshot.model;
    // Like its curve, the figure belongs to the trained model.
    const Measured* measured = (frame.snapshot.unaltered ? frame.snapshot.unaltered : frame.snapshot.measured).get();
    const std::optional<double> metric = measured ? std::optional(measured->found.value) : std::nullopt;
    const std::string label = metric_label(model);
    const std::string metric_shown =
        measured ? of_the_training(frame, label + " " + metric_text(model, *metric)) : label + " –";
    const std::string loss_shown =
        loss ? of_the_training(frame, filled(tr("loss {1}"), {with_decimals(*loss)})) : tr("loss –");
    const RunInfo* run = frame.snapshot.current_run();
    const int colour = run ? run->colour : 0;
    const bool slate = colour % run_colour_count == 0;
    const ImU32 loss_line = run_colour(t, colour), metric_line = run_metric_colour(t, colour);
    const bool senses = !model.senses.empty();
    const std::string_view meaning =
        senses
            ? tr("Sense accuracy\nHow often the last block tells the two meanings of a word apart, in sentences from "
                 "templates that training never saw. Guessing gives 50 %.")
            : ui.items->format("%s\n%s",
                               model.metric_name.empty() ? tr("Metric") : tr_sentence(model.metric_name).c_str(),
                               model.metric_is_share ? tr("On data that training never saw. Higher is better.")
                                                     : tr("On data that training never saw. Lower is better."));
    const Entry entries[] = {
        {"timeline loss", loss_shown,
         frame.snapshot.model->config.outputs_numbers()
             ? tr("Loss\nThe mean squared error of the model's predictions. 0 is perfect. The number is a mean of "
                  "about the last twenty steps, so it lags behind where the loss falls fast; the line is smoothed "
                  "less. The faint line shows every single step, the dotted line held-out data.")
             : tr("Loss\nHow surprised the model is by the true tokens: the mean of −ln(probability of the true "
                  "token). 0 is perfect. The number is a mean of about the last twenty steps, so it lags behind where "
                  "the loss falls fast; the line is smoothed less. The faint line shows every single step, the dotted "
                  "line held-out data."),
         loss, loss_line, slate ? t.residual_text : loss_line, false},
        {"timeline accuracy", metric_shown, meaning, metric, metric_line, metric_line, true},
    };
    for (const Entry& entry : entries) {
        draw_entry(ui, at, entry);
        if (beside)
            at.x += ui.px(sample_width + sample_gap + entry_gap) +
                    draw::text_size(ui, of_the_training(frame, std::string(tr("loss 0.00"))), FontRole::small_bold).x;
        else
            at.y += ui.line(FontRole::small_bold) + ui.px(6);
    }
}

float timeline_legend_width(const Frame& frame, bool beside) {
    const Ui& ui = frame.ui;
    const ModelInfo& model = *frame.snapshot.model;
    const float sample = ui.px(sample_width + sample_gap);
    const std::string widest =
        of_the_training(frame, metric_label(model) + (model.metric_is_share ? " 100 %" : " 0.00000"));
    const float accuracy = sample + draw::text_size(ui, widest, FontRole::small_bold).x;
    if (!beside) return accuracy;
    return accuracy + sample + ui.px(entry_gap) +
           draw::text_size(ui, of_the_training(frame, std::string(tr("loss 0.00"))), FontRole::small_bold).x;
}

}  // namespace glassformer::app
