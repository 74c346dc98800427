#include <algorithm>
#include <filesystem>
#include <utility>

#include "app/common/lesson_menu.h"
#include "app/language/tr.h"
#include "app/lessons/lesson_runner.h"
#include "app/panels/leaving/leaving_question.h"

/// The models that a lesson needs: opened, made, and what was on screen before them.
namespace glassformer::app {

namespace {

/// A person's own world is the one that a lesson means unless it only has the name of one of the program's.
bool is_of_world(const Snapshot& snapshot, const std::string& name) {
    const bool namesake = snapshot.model->own_world && !LessonStage::folder_of(snapshot, name).empty();
    return snapshot.model->world == name && !namesake;
}

}  // namespace

bool LessonRunner::fits(const Snapshot& snapshot, const Scene& scene) const {
    if (scene.fresh)
        return fresh_ && snapshot.model == fresh_ && fresh_->world == scene.model && fresh_as_ == scene.switches;
    // What another step built otherwise than its world proposes is no model of that world any more.
    if (snapshot.model == fresh_ && !fresh_as_.empty()) return scene.model.empty();
    const std::string folder = std::filesystem::path(snapshot.model->folder).filename().string();
    return scene.model.empty() || is_of_world(snapshot, scene.model) || folder == scene.model;
}

int LessonRunner::step_to_begin(const Lesson& lesson, int step) const {
    const auto left = memory_.at.find(lesson.name);
    const int steps = static_cast<int>(lesson.steps.size());
    if (step >= 0) return std::min(step, steps - 1);
    // One that was finished begins anew.
    return left == memory_.at.end() || left->second >= steps ? 0 : left->second;
}

const Scene& LessonRunner::first_scene(const Lesson& lesson, int step) const {
    return lesson.steps[static_cast<std::size_t>(step_to_begin(lesson, step))].scene;
}

const Lesson* LessonRunner::wanted() const {
    const int which = wanted_ ? folder_.find(wanted_->name) : -1;
    return which < 0 ? nullptr : folder_.lessons()[static_cast<std::size_t>(which)].get();
}

std::string LessonRunner::wanted_model() const {
    const Lesson* lesson = wanted();
    return lesson ? first_scene(*lesson, wanted_->step).model : std::string();
}

bool LessonRunner::wants_fresh() const {
    const Lesson* lesson = wanted();
    return lesson && first_scene(*lesson, wanted_->step).fresh;
}

void LessonRunner::give_up_wanted() {
    wanted_.reset();
    former_.reset();
    resumed_.reset();
}

const Lesson* LessonRunner::next() const {
    const int which = lesson_ && !lesson_->next.empty() ? folder_.find(lesson_->next) : -1;
    return which < 0 ? nullptr : folder_.lessons()[static_cast<std::size_t>(which)].get();
}

LessonRunner::Before LessonRunner::screen_of(const Frame& frame) {
    const Snapshot& s = frame.snapshot;
    Before before{frame.state, {{s.text_of(0), s.text_of(1)}, {}, s.comparing, s.what_if, false}, s.model, {}};
    if (!s.live) before.shown.step = s.step;
    return before;
}

/// The training from before the lesson may be kept in a folder until its model goes: that is what comes back.
void LessonRunner::note_kept_run(const Snapshot& snapshot) {
    const RunInfo* run = snapshot.current_run();
    for (std::optional<Before>* before : {&before_, &former_})
        if (run && *before && (*before)->model == snapshot.model) (*before)->run = run->folder;
}

/// Opens the scene's model, or makes it.
Command LessonRunner::opening(const Frame& frame, const Scene& scene) {
    asked_fresh_ = scene.fresh;
    if (!scene.fresh) return command::OpenModel{LessonStage::folder_of(frame.snapshot, scene.model)};
    std::vector<SetupSwitch> switches = scene.switches;
    const std::optional<std::uint64_t> seed = frame.state.own<LessonMenu>().fresh_seed;
    if (seed && std::ranges::find(switches, "seed", &SetupSwitch::name) == switches.end())
        switches.push_back({"seed", std::to_string(*seed)});
    return command::OpenWorld{scene.model, std::move(switches)};
}

void LessonRunner::open_wanted(const Frame& frame) {
    const Lesson* lesson = wanted();
    if (!lesson) return;
    if (!former_) former_ = screen_of(frame);
    const Scene& scene = first_scene(*lesson, wanted_->step);
    leave_for(frame, opening(frame, scene));
}

/// The untrained model on screen is the one that the scene wants.
void LessonRunner::note_fresh(const Snapshot& snapshot, const Scene& scene) {
    const bool untrained =
        snapshot.model->folder.empty() && is_of_world(snapshot, scene.model) && snapshot.live_step == 0;
    if (!scene.fresh || !untrained || !(scene.switches.empty() || asked_fresh_)) return;
    fresh_ = snapshot.model;
    fresh_as_ = scene.switches;
}

/// A lesson that waits begins when its model is there; one that is open waits when its model goes, and is shown anew
/// on another of the same world.
void LessonRunner::follow_model(const Frame& frame) {
    note_kept_run(frame.snapshot);
    const bool changed = std::exchange(model_, frame.snapshot.model) != frame.snapshot.model;
    offer_fits_ = !folder_.lessons().empty() && fits(frame.snapshot, folder_.lessons().front()->steps.front().scene);
    if (!changed) return;
    const Lesson* waits = wanted();
    const Scene* here = lesson_ ? &scene() : waits ? &first_scene(*waits, wanted_->step) : nullptr;
    if (here) note_fresh(frame.snapshot, *here);
    asked_fresh_ = false;
    if (before_) {
        if (!lesson_) return return_to_former(frame);
        if (fits(frame.snapshot, scene())) return enter(frame);
        forget(frame);
    }
    if (!waits) return;
    if (!fits(frame.snapshot, *here)) return former_.reset();
    const Wanted now = *std::exchange(wanted_, std::nullopt);
    start(frame, folder_.find(now.name), now.step);
}

/// What was on screen before the lesson went with its model.
void LessonRunner::forget(const Frame& frame) {
    if (lesson_ && !wanted_) wanted_ = Wanted{lesson_->name, at_};
    lesson_.reset();
    before_.reset();
    opening_ = false;
    stage_.forget();
    frame.state.own<LessonMenu>().open = -1;
}

/// A training that nobody has saved and that must not be dropped. That of a model which the lesson made is none, but
/// for a task's that is not done yet.
bool LessonRunner::is_own_training(const Snapshot& snapshot) const {
    return !unsaved_runs(snapshot).empty() && (snapshot.model != fresh_ || snapshot.model == for_task_);
}

void LessonRunner::note_task_training(const Snapshot& snapshot) {
    if (!on_screen() || !step().task || snapshot.model != fresh_) return;
    const bool done = homework_.at(lesson_->name, at_).done;
    for_task_ = snapshot.live_step > 0 && !done ? fresh_ : nullptr;
}

/// The model that a step within the lesson needs. Where that would drop a training of the person's own, the banner
/// asks.
void LessonRunner::open_model(const Frame& frame, const Scene& scene) {
    if (is_own_training(frame.snapshot)) {
        Before before = std::move(*before_);
        forget(frame);
        former_ = std::move(before);
        return;
    }
    opening_ = true;
    values_ = {};
    if (!scene.fresh && LessonStage::folder_of(frame.snapshot, scene.model).empty())
        return report(step().line, "model", filled(tr("there is no shipped model \"{1}\""), {scene.model}));
    frame.send(opening(frame, scene));
}

}  // namespace glassformer::app
