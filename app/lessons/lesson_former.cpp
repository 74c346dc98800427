#include <utility>

#include "app/common/sentence_edit.h"
#include "app/common/stage_motion.h"
#include "app/common/what_if_changes.h"
#include "app/lessons/lesson_runner.h"
#include "app/panels/experiment/experiment_state.h"
#include "app/panels/leaving/leaving_question.h"
#include "app/panels/leaving/saving.h"
#include "app/panels/messages/error_bar.h"

// The end of a lesson: restores what was on screen before it.
namespace glassformer::app {

namespace {

bool is_same(const ModelInfo& now, const ModelInfo& former) {
    return now.folder == former.folder && now.world == former.world;
}

}  // namespace

void LessonRunner::leave(const Frame& frame) {
    const bool stays = training_stays(frame.snapshot), own = is_own_training(frame.snapshot);
    lesson_.reset();
    spoken_of_.reset();
    opening_ = false;
    refusal_.clear();
    frame.state.window.lessons.open = -1;
    give_experiment_back(frame);
    if (stays) {
        make_changes(frame, {});
        left_ = std::exchange(before_, std::nullopt);
        return;
    }
    if (frame.snapshot.model == before_->model || own) return return_to_former(frame);
    stage_.forget();
    frame.send(opening_of(*before_, frame.snapshot));
}

bool LessonRunner::training_stays(const Snapshot& snapshot) const {
    if (!before_ || snapshot.model == before_->model || !is_own_training(snapshot)) return false;
    return !before_->run.empty() || !snapshot.set_aside.empty() || !is_same(*snapshot.model, *before_->model);
}

/// Returns the command that reopens the model from before a lesson.
Command LessonRunner::opening_of(const Before& before, const Snapshot& snapshot) {
    if (!snapshot.set_aside.empty()) return command::BringBack{};
    if (!before.run.empty()) return command::OpenRun{before.run};
    if (!before.model->folder.empty()) return command::OpenModel{before.model->folder};
    return command::OpenWorld{before.model->world, {}, before.setup};
}

void LessonRunner::go_back(const Frame& frame) { leave_for(frame, opening_of(*left_, frame.snapshot)); }

/// The runs set aside for the lesson are not lost: they are brought back beside the current ones.
void LessonRunner::stay_here(const Frame& frame) {
    left_.reset();
    if (!frame.snapshot.set_aside.empty()) frame.send(command::BringBack{.beside = true});
}

/// Another model has replaced the one trained in a lesson: either it is the model from before the lesson, or that no
/// longer matters.
void LessonRunner::follow_left(const Frame& frame) {
    if (!left_ || !frame.snapshot.set_aside.empty()) return;
    before_ = std::exchange(left_, std::nullopt);
    if (!is_same(*frame.snapshot.model, *before_->model)) return before_.reset();
    return_to_former(frame);
}

/// The model on screen is the one from before, or one with a training that must not be dropped.
void LessonRunner::return_to_former(const Frame& frame) {
    if (!is_same(*frame.snapshot.model, *before_->model)) {
        make_changes(frame, {});
        return before_.reset();
    }
    before_->state.model = frame.snapshot.model.get();
    stage_.ask(frame, before_->shown);
    take_answer(frame);
}

/// Restores what was on screen before the lesson. The user's settings, and what is open in the window except its
/// panels, stay as they are now.
void LessonRunner::put_back(const Frame& frame) {
    ViewState now = std::move(frame.state);
    frame.state = std::move(before_->state);
    before_.reset();
    frame.state.theme = now.theme;
    frame.state.scale = now.scale;
    frame.state.presenter = now.presenter;
    frame.state.reduce_motion = now.reduce_motion;
    now.window.panels = frame.state.window.panels;
    frame.state.window = std::move(now.window);
    frame.own<ErrorBarState>() = now.own<ErrorBarState>();
    frame.own<ExperimentState>() = std::move(now.own<ExperimentState>());  // restored when the lesson was left
    frame.own<Saving>() = std::move(now.own<Saving>());
    frame.own<StageMotion>() = std::move(now.own<StageMotion>());  // current positions on screen
    frame.state.own<SentenceEdits>().of = {};
}

}  // namespace glassformer::app
