#include <algorithm>
#include <utility>

#include "app/lessons/experiment_claim.h"
#include "app/lessons/lesson_runner.h"
#include "app/panels/experiment/experiment_page.h"
#include "app/panels/experiment/experiment_parts.h"

// The runs that a lesson step trains side by side.
namespace glassformer::app {

/// The user's own experiment page: its input, and whether it has runs.
struct LessonRunner::OwnExperiment {
    ExperimentState page;
    bool has_runs = false;
};

void LessonRunner::set_experiment_aside(const Frame& frame) {
    if (own_experiment_) return;
    ExperimentState& page = frame.own<ExperimentState>();
    own_experiment_ = std::make_shared<const OwnExperiment>(OwnExperiment{page, experiment_of(frame) != nullptr});
    page.kept = {};
}

/// Restores the page from before the lesson, and its runs, unless the user has started others since. A user who had no
/// runs keeps those of the lesson.
void LessonRunner::give_experiment_back(const Frame& frame) {
    ExperimentState& page = frame.own<ExperimentState>();
    if (std::exchange(opened_page_, false)) page.open = false;
    const auto own = std::exchange(own_experiment_, nullptr);
    if (!own) return;
    page = own->page;
    frame.send(command::StopExperiment{.bring_back = true});
}

/// Shows the experiment page with the step's runs. Starts them like a click on Start, unless they exist already.
void LessonRunner::show_experiment(const Frame& frame) {
    const Scene& wanted = scene();
    ExperimentState& page = frame.own<ExperimentState>();
    if (wanted.experiment.empty()) {
        if (std::exchange(opened_page_, false)) page.open = false;
        return;
    }
    set_experiment_aside(frame);
    page.open = opened_page_ = true;
    page.shows = static_cast<ExperimentState::Shows>(wanted.experiment_cards);
    page.claim = wanted.experiment_claim;
    page.run = -1;
    page.head.reset();
    page.chosen.clear();
    for (const Knob& knob : wanted.experiment) {
        page.chosen.push_back(knob.name);
        page.values[knob.name] = text_of(knob.values);
    }
    if (!experiment_runs(frame.snapshot)) return follow_experiment(frame);
    const std::shared_ptr<const ExperimentInfo>& there = frame.snapshot.experiment;
    if (there && there->under_way() && there->plan.knobs == wanted.experiment) return;
    start_experiment(frame, own_experiment_->has_runs);
    if (!page.refusal.empty()) report(step().line, "experiment", page.refusal);
}

/// Once the runs have ended, updates the text, which mentions them and the result of the claim on their page.
void LessonRunner::follow_experiment(const Frame& frame) {
    std::optional<int> held;
    if (on_screen() && !scene().experiment.empty() && !experiment_runs(frame.snapshot)) {
        if (!std::exchange(experiment_ended_, true)) values_.snapshot = 0;
        hold_claim(frame);
        const auto& claims = frame.own<ExperimentState>().claims;
        if (!claims.empty() && !experiment_of(frame)->under_way())
            held = static_cast<int>(std::ranges::count_if(claims, [](const auto& c) { return c.holds == true; }));
    }
    if (held == held_) return;
    held_ = held;
    values_.snapshot = 0;  // evaluate again
}

/// True while the runs do not exist yet or are training.
bool LessonRunner::experiment_runs(const Snapshot& snapshot) const {
    if (!on_screen() || scene().experiment.empty() || experiment_ended_) return false;
    const std::shared_ptr<const ExperimentInfo>& there = snapshot.experiment;
    return !there || there->under_way() || there->plan.knobs != scene().experiment ||
           there->plan.base.world != snapshot.model->world;
}

}  // namespace glassformer::app
