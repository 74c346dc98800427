#include "app/panels/experiment/experiment_page.h"

#include <algorithm>
#include <cmath>

#include "app/language/sentences.h"
#include "app/language/tr.h"
#include "app/panels/experiment/experiment_parts.h"
#include "app/ui/opaque_fill.h"
#include "app/ui/scroll_page.h"
#include "core/base/number_text.h"

namespace glassformer::app {

namespace {

constexpr float page_title = 46, knobs_width = 280, curves_height = 176, low_curves_height = 124, page_gap = 12,
                claim_height = 28, claim_gap = 8, least_for_high_curves = 560, least_for_two_columns = 760,
                least_for_cards = 180;  // pixels at 100 %

std::string experiment_headline(const ExperimentInfo& experiment) {
    const std::int64_t steps = experiment.runs.front().setup.options.schedule.total;
    const bool same = std::ranges::all_of(experiment.runs,
                                          [&](const auto& run) { return run.setup.options.schedule.total == steps; });
    const std::string runs = filled(tr("{1} run", "{1} runs", static_cast<long>(experiment.runs.size())),
                                    {std::to_string(experiment.runs.size())});
    std::string text = filled(tr("Experiment · {1} · {2}"), {tr_sentence(experiment.model->world_title), runs});
    const bool whole = std::ranges::none_of(experiment.runs, [](const auto& run) {
        return run.now.ended() && run.now.step < run.setup.options.schedule.total;
    });
    if (same)
        text += " · " + filled(whole ? tr("{1} step each", "{1} steps each", steps)
                                     : tr("up to {1} step each", "up to {1} steps each", steps),
                               {grouped(steps)});
    return text;
}

/// Draws the button that starts or stops the experiment; returns its right end.
float draw_main_button(const Frame& frame, const ExperimentInfo* experiment, const Box& row) {
    const Ui& ui = frame.ui;
    const float high = ui.px(30), y = std::round(row.middle_y() - high / 2);
    ImVec2 at{row.min.x, y};
    if (experiment && experiment->under_way()) {
        const int left = static_cast<int>(experiment->runs.size()) - experiment->ended();
        const std::string_view text =
            ui.items->format(tr("Stop · %d of %d left"), left, static_cast<int>(experiment->runs.size()));
        if (chip(ui, "experiment/stop", at, high, text,
                 {.tone = Tone::primary, .tooltip = tr("End all runs after their step. What is done is kept.")}))
            frame.send(command::StopExperiment{});
    } else if (chip(ui, "experiment/start", at, high, tr("Start"),
                    {.tone = Tone::primary,
                     .enabled = experiment_base(frame).has_value(),
                     .tooltip = tr("Train all runs, several at a time. The training on the screen pauses.")})) {
        start_experiment(frame);
    }
    return at.x;
}

void draw_page_title(const Frame& frame, const ExperimentInfo* experiment, const Box& box) {
    const Ui& ui = frame.ui;
    Box row = box.inset(ui.px(page_gap), 0);
    const float close = ui.px(28), y = std::round(row.middle_y() - close / 2);
    const Box corner = Box::sized({row.max.x - close, y}, close, close);
    if (close_button(ui, "experiment/close", corner, tr("Close (Esc). The runs go on.")))
        frame.own<ExperimentState>().open = false;
    row.max.x -= close + ui.px(8);
    row.min.x = draw_main_button(frame, experiment, row) + ui.px(6);
    if (experiment && experiment->under_way()) {
        std::string left = filled(tr("{1} at a time"), {std::to_string(experiment->at_once)});
        if (experiment->seconds_left >= 0)
            left += " · " + filled(tr("about {1} left"), {rough_duration(experiment->seconds_left)});
        const Box end = row.cut_right(draw::text_size(ui, left, FontRole::small).x, ui.px(8));
        draw::label(ui, end, left, {FontRole::small, ui.theme->text_muted, draw::Align::right},
                    {"experiment/left", item_state(static_cast<int>(experiment->runs.size()) - experiment->ended())});
    } else if (experiment) {
        ui.items->add("experiment/left", row.right(0), item_state(0));  // scripts wait for it
    }
    const std::string refusal = tr_sentence(frame.own<ExperimentState>().refusal);
    const std::string text = !refusal.empty() ? refusal
                             : experiment     ? experiment_headline(*experiment)
                                              : tr("Experiment: is it luck, or the same every time?");
    const draw::TextStyle style_of_text{FontRole::body_bold, refusal.empty() ? ui.theme->text : ui.theme->danger_text};
    if (draw::label(ui, row, text, style_of_text, {refusal.empty() ? "experiment/title" : "experiment/refusal"}) &&
        draw::hovered(row))
        draw::tip(ui, row, text);
}

void draw_runs_of_experiment(const Frame& frame, const ExperimentInfo* experiment, const Box& box) {
    const Ui& ui = frame.ui;
    if (!experiment) {
        const Box line = box.inset(ui.px(24));
        draw::text_wrapped(ui, line.min, std::min(line.width(), ui.px(560)),
                           tr("Choose what differs between the runs, then press Start. They train side by side; each "
                              "card shows that run's counterpart of one head, on this sentence."),
                           {FontRole::body, ui.theme->text_muted});
        return;
    }
    const float low = ui.px(low_curves_height + page_gap + claim_height + claim_gap + least_for_cards);
    if (box.height() < low && box.width() >= ui.px(least_for_two_columns)) {  // the cards beside the curves
        Box left = box.column(0, 2, ui.px(page_gap));
        draw_claim_row(frame, left.bottom(ui.px(claim_height)));
        left.max.y -= ui.px(claim_height + claim_gap);
        draw_experiment_curves(frame, *experiment, left);
        return draw_experiment_cards(frame, *experiment, box.column(1, 2, ui.px(page_gap)));
    }
    Box rest = box;
    const float curves = box.height() < ui.px(least_for_high_curves) ? low_curves_height : curves_height;
    draw_experiment_curves(frame, *experiment, rest.cut_top(ui.px(curves), ui.px(page_gap)));
    draw_claim_row(frame, rest.cut_top(ui.px(claim_height), ui.px(8)));
    draw_experiment_cards(frame, *experiment, rest);
}

}  // namespace

std::string experiment_caption(const Frame& frame) {
    const ExperimentInfo* experiment = experiment_of(frame).get();
    if (!experiment) return tr("Experiment");
    std::string caption = experiment_headline(*experiment), names;
    for (std::size_t i = 0; i < experiment->runs.size(); ++i)
        names += (i > 0 ? " · " : "") + std::to_string(i) + ": " + tr_run_name(experiment->runs[i].name);
    const std::string& claim = frame.own<ExperimentState>().claim;
    return caption + "\n" + names + "\n" + about_the_cards(frame, *experiment) +
           (claim.empty() ? "" : "\n" + std::string(tr("Claim")) + ": " + claim);
}

void open_experiment(const Frame& frame) {
    frame.own<ExperimentState>().open = true;
    frame.own<ExperimentState>().refusal.clear();
}

const std::shared_ptr<const ExperimentInfo>& experiment_of(const Frame& frame) {
    const ExperimentState::Kept& kept = frame.own<ExperimentState>().kept;
    const std::shared_ptr<const ExperimentInfo>& newest = frame.snapshot.experiment;
    return kept.experiment && (!newest || newest->id == kept.after) ? kept.experiment : newest;
}

std::optional<TrainingSetup> experiment_base(const Frame& frame) {
    const RunInfo* current = frame.snapshot.current_run();
    if (!current || !frame.snapshot.model->trainable()) return std::nullopt;
    return current->setup;
}

void match_experiment(const Frame& frame) {
    ExperimentState& s = frame.own<ExperimentState>();
    const std::shared_ptr<const ExperimentInfo>& experiment = experiment_of(frame);
    if (!experiment) return;
    if (s.experiment != experiment->id) {
        s.experiment = experiment->id;
        s.run = -1;
        s.head.reset();
    }
    const int slot = frame.state.slot, word = frame.state.token[slot];
    const int head = s.head ? s.head->layer * 65536 + s.head->head : -1;
    const std::array<int, 4> wanted{slot, word, s.run, head};
    if (s.matched_of == experiment && s.matched_for == wanted) return;
    s.matched_of = experiment;
    s.matched_for = wanted;
    const auto& runs = experiment->runs;
    s.reference = s.run;
    if (s.reference < 0 || s.reference >= static_cast<int>(runs.size()) || !runs[s.reference].seen) {
        s.reference = -1;
        for (const bool broken : {false, true})  // the first run whose attention is finite, if there is one
            for (std::size_t i = 0; i < runs.size() && s.reference < 0; ++i)
                if (runs[i].seen && (broken || hardest_head(*experiment, slot, i, word).block >= 0))
                    s.reference = static_cast<int>(i);
    }
    s.matched.clear();
    if (s.reference < 0) return;
    const auto of = static_cast<std::size_t>(s.reference);
    const MatchedInRun hardest = hardest_head(*experiment, slot, of, word);
    const int block = s.head ? s.head->layer : hardest.block, number = s.head ? s.head->head : hardest.head;
    if (block >= 0) s.matched = matched_heads(*experiment, slot, of, block, number);
}

void draw_experiment(const Frame& frame, const Box& box) {
    const Ui& ui = frame.ui;
    ui.focus->take_keys();
    draw::opaque_fill(ui, box, ui.theme->background);
    const ExperimentInfo* experiment = experiment_of(frame).get();
    ui.items->add("experiment", box, item_state(experiment ? static_cast<int>(experiment->runs.size()) : 0));
    Box rest = box;
    const Box title = rest.cut_top(ui.px(page_title));
    draw::opaque_fill(ui, title, ui.theme->card);
    draw::horizontal_line(ui, box.min.x, box.max.x, title.max.y, ui.theme->card_border);
    draw_page_title(frame, experiment, title);
    const Box body = rest.inset(ui.px(page_gap));
    if (frame.state.presenter) return draw_runs_of_experiment(frame, experiment, body);  // the audience changes nothing
    if (body.width() < ui.px(least_for_two_columns)) {
        // One below the other.
        ScrollPage page(ui, "##experiment", rest);
        Box inside = page.inside();
        const auto draw_knobs = [&] { inside.min.y = draw_experiment_knobs(frame, inside) + ui.px(page_gap); };
        if (!experiment) draw_knobs();  // otherwise the results come first
        draw_runs_of_experiment(frame, experiment, inside.cut_top(ui.px(curves_height + 560), ui.px(page_gap)));
        if (experiment) draw_knobs();
        page.reaches(inside.min.y);
        return;
    }
    Box right = body;
    const Box left = right.cut_left(ui.px(knobs_width), ui.px(page_gap));
    draw::card(ui, left);
    {
        ScrollPage page(ui, "##experiment knobs", left.inset(ui.px(2)));
        page.reaches(draw_experiment_knobs(frame, page.inside()));
    }
    draw_runs_of_experiment(frame, experiment, right);
}

}  // namespace glassformer::app
