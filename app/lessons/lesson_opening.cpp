#include <algorithm>
#include <filesystem>
#include <tuple>
#include <utility>

#include "app/lessons/lesson_runner.h"
#include "app/panels/leaving/leaving_question.h"
#include "app/session/model_size.h"
#include "core/base/error.h"
#include "core/base/filled.h"
#include "core/base/mark_text.h"
#include "core/tasks/tasks.h"

/// Opens or makes the models that a lesson needs, and tracks what was on screen before.
namespace glassformer::app {

namespace {

/// Parameters from which on a fresh model is made only after the user has seen its size: 1 GB in training.
constexpr std::int64_t large_model = 50'000'000;

/// A lesson that names a world may mean the user's own one, unless that only shares its name with one of the program's.
bool is_of_world(const Snapshot& snapshot, const std::string& name) {
    const bool namesake = snapshot.model->own_world && !LessonStage::folder_of(snapshot, name).empty();
    return snapshot.model->world == name && !namesake;
}

/// Whether what is on screen can be opened again as it is, from its folder or its setup. A training that was reset, or
/// was saved as a model elsewhere, cannot.
bool opens_again(const Snapshot& snapshot) {
    const RunInfo* run = snapshot.current_run();
    if (!run || snapshot.runs.size() > 1) return !run;
    if (run->kept()) return true;
    if (run->only_in_memory() || run->origin.parent >= 0) return false;
    return snapshot.model->folder.empty() ? run->step == 0 : run->step == run->opened_at;
}

/// Whether the model has the parts that lessons about `proposed` mention. It may be larger.
bool is_built_like(const TransformerConfig& model, const TransformerConfig& proposed) {
    const auto parts = [](const TransformerConfig& c) {
        return std::tuple(c.family, c.positions, c.norm_placement, c.activation == Activation::none, c.residual,
                          c.attention.projections);
    };
    return parts(model) == parts(proposed) && model.n_layers >= proposed.n_layers && model.n_heads >= proposed.n_heads;
}

}  // namespace

/// The world's proposal, which is also how its shipped model is built. The file is read once; none if the world is
/// unknown.
const std::optional<TransformerConfig>& LessonRunner::proposed(const Snapshot& snapshot,
                                                               const std::string& world) const {
    const auto known = proposed_.find(world);
    if (known != proposed_.end()) return known->second;
    std::optional<TransformerConfig>& config = proposed_[world];
    try {
        config = make_task(world, snapshot.catalog->worlds_folder)->config;
    } catch (const Error&) {
        config.reset();
    }
    return config;
}

/// Whether the lesson came with the program: it is about the shipped models.
bool LessonRunner::is_of_program(const Snapshot& snapshot, const Lesson& lesson) const {
    return folder_.file_of(lesson.name).parent_path() == snapshot.catalog->worlds_folder.parent_path() / "lessons";
}

/// If there is a shipped model of that name, the lesson fits only a trained model; a lesson of the program fits only
/// that shipped model or one built like its world's proposal. A user's lesson may also be about the untrained model in
/// a file for which it was written.
bool LessonRunner::fits_shipped(const Snapshot& snapshot, const Lesson& lesson, const Scene& scene,
                                const std::string& shipped) const {
    const ModelInfo& model = *snapshot.model;
    const bool untrained = snapshot.live_step == 0 && !model.world.empty();
    if (model.folder == shipped) return !untrained;
    if (!is_of_program(snapshot, lesson)) return !untrained || !model.folder.empty();
    const std::optional<TransformerConfig>& like = proposed(snapshot, scene.model);
    return !untrained && (!like || is_built_like(model.config, *like));
}

bool LessonRunner::fits(const Snapshot& snapshot, const Lesson& lesson, const Scene& scene) const {
    if (scene.fresh)
        return fresh_ && snapshot.model == fresh_ && fresh_->world == scene.model && fresh_as_ == scene.switches;
    if (scene.shipped) {
        const std::string folder = LessonStage::folder_of(snapshot, scene.model);
        return !folder.empty() && snapshot.model->folder == folder && snapshot.live_step > 0;
    }
    // A model that a step built differently from its world's proposal no longer counts as a model of that world.
    if (snapshot.model == fresh_ && !fresh_as_.empty()) return scene.model.empty();
    if (scene.model.empty()) return true;
    const ModelInfo& model = *snapshot.model;
    const std::string shipped = LessonStage::folder_of(snapshot, scene.model);
    const bool of_folder = std::filesystem::path(model.folder).filename() == scene.model &&
                           (shipped.empty() || model.folder == shipped || model.world.empty());
    if (!of_folder && !is_of_world(snapshot, scene.model)) return false;
    return shipped.empty() || fits_shipped(snapshot, lesson, scene, shipped);
}

int LessonRunner::step_to_begin(const Lesson& lesson, int step) const {
    const auto left = memory_.at.find(lesson.name);
    const int steps = static_cast<int>(lesson.steps.size());
    if (step >= 0) return std::min(step, steps - 1);
    // A finished lesson starts over.
    return left == memory_.at.end() || left->second >= steps ? 0 : left->second;
}

const Scene& LessonRunner::first_scene(const Lesson& lesson, int step) const {
    return lesson.steps[step_to_begin(lesson, step)].scene;
}

const Lesson* LessonRunner::wanted() const {
    const int which = wanted_ ? folder_.find(wanted_->name) : -1;
    return which < 0 ? nullptr : folder_.lessons()[which].get();
}

std::string LessonRunner::wanted_model() const {
    const Lesson* lesson = wanted();
    return lesson ? first_scene(*lesson, wanted_->step).model : std::string();
}

bool LessonRunner::wants_fresh() const {
    const Lesson* lesson = wanted();
    return lesson && first_scene(*lesson, wanted_->step).fresh;
}

bool LessonRunner::can_open_wanted(const Snapshot& snapshot) const {
    return wants_fresh() || !LessonStage::folder_of(snapshot, wanted_model()).empty();
}

const ModelInfo& LessonRunner::comes_back(const Snapshot& snapshot) const {
    return former_ ? *former_->model : *snapshot.model;
}

std::int64_t LessonRunner::large_size(const Snapshot& snapshot, const Scene& scene) const {
    if (!scene.fresh) return 0;
    if (sized_.world != scene.model || sized_.switches != scene.switches) {
        sized_ = {scene.model, scene.switches};
        try {
            TrainingSetup setup;
            setup.config = proposed(snapshot, scene.model).value_or(TransformerConfig());
            throw_switches(setup, scene.switches);
            sized_.cells = parameter_count(setup.config);
        } catch (const Error&) {  // the worker gives the reason when asked for the model
        }
    }
    return sized_.cells >= large_model ? sized_.cells : 0;
}

std::int64_t LessonRunner::wanted_size(const Snapshot& snapshot) const {
    const Lesson* lesson = wanted();
    return lesson ? large_size(snapshot, first_scene(*lesson, wanted_->step)) : 0;
}

void LessonRunner::give_up_wanted(const Frame& frame) {
    if (!making(frame.snapshot)) return drop_wanted();
    if (giving_up_) return;
    giving_up_ = frame.snapshot.given_up + 1;
    frame.send(command::GiveUpOpening{});
}

void LessonRunner::drop_wanted() {
    wanted_.reset(), making_.reset();
    // The lesson stopped because of the user's own training, and the model from before is another one.
    if (former_ && former_->model != model_) left_ = std::move(former_);
    former_.reset();
    resumed_.reset();
}

const Lesson* LessonRunner::next() const {
    const int which = lesson_ && !lesson_->next.empty() ? folder_.find(lesson_->next) : -1;
    return which < 0 ? nullptr : folder_.lessons()[which].get();
}

void LessonRunner::give_way(const Frame& frame) {
    if (!lesson_ || opening_) return;
    forget(frame);
    drop_wanted();
}

LessonRunner::Before LessonRunner::screen_of(const Frame& frame) {
    const Snapshot& s = frame.snapshot;
    Before before{frame.state, {{s.text_of(0), s.text_of(1)}, {}, s.comparing, s.what_if, false}, s.model, {}, {}};
    if (!s.live) before.shown.step = s.step;
    if (const RunInfo* run = s.current_run()) before.setup = run->setup;
    return before;
}

/// While its model is open, the training from before the lesson may get a folder: that is what to reopen later.
void LessonRunner::note_kept_run(const Snapshot& snapshot) {
    const RunInfo* run = snapshot.current_run();
    for (std::optional<Before>* before : {&before_, &former_})
        if (run && *before && (*before)->model == snapshot.model) (*before)->run = run->folder;
}

/// Returns the command that opens or makes the scene's model. What could not be opened again is set aside until the
/// lesson ends.
Command LessonRunner::opening(const Frame& frame, const Scene& scene) {
    const bool set_aside = can_set_aside(frame.snapshot);
    asked_fresh_ = scene.fresh;
    if (!scene.fresh) return command::OpenModel{LessonStage::folder_of(frame.snapshot, scene.model), set_aside};
    std::vector<SetupSwitch> switches = scene.switches;
    const std::optional<std::uint64_t> seed = frame.state.window.lessons.fresh_seed;
    if (seed && std::ranges::find(switches, "seed", &SetupSwitch::name) == switches.end())
        switches.push_back({"seed", std::to_string(*seed)});
    return command::OpenWorld{scene.model, std::move(switches), {}, set_aside};
}

/// True for what was on screen before the lesson, but not for a model that the lesson opened.
bool LessonRunner::can_set_aside(const Snapshot& snapshot) const {
    const std::optional<Before>& before = before_ ? before_ : former_;
    return !opens_again(snapshot) && !is_for_lesson(snapshot) && snapshot.set_aside.empty() && before &&
           before->model == snapshot.model;
}

void LessonRunner::open_wanted(const Frame& frame) {
    const Lesson* lesson = wanted();
    if (!lesson || !can_open_wanted(frame.snapshot)) return;  // the banner says that there is no such model
    if (!former_) former_ = left_ && !frame.snapshot.set_aside.empty() ? std::move(left_) : screen_of(frame);
    const Scene& scene = first_scene(*lesson, wanted_->step);
    const bool set_aside = can_set_aside(frame.snapshot);
    Command command = opening(frame, scene);
    if (set_aside)
        frame.send(std::move(command));
    else
        leave_for(frame, std::move(command));
    if (scene.fresh && !frame.state.own<Leaving>().asking) making_ = frame.snapshot.error_number;
}

/// Notes that the untrained model on screen is the one that the scene wants.
void LessonRunner::note_fresh(const Snapshot& snapshot, const Scene& scene) {
    const bool untrained =
        snapshot.model->folder.empty() && is_of_world(snapshot, scene.model) && snapshot.live_step == 0;
    if (!scene.fresh || !untrained || !(scene.switches.empty() || asked_fresh_)) return;
    fresh_ = snapshot.model;
    fresh_as_ = scene.switches;
}

/// Starts a waiting lesson once its model is there. An open lesson waits if its model goes, and continues on another
/// model of the same world.
void LessonRunner::follow_model(const Frame& frame) {
    note_kept_run(frame.snapshot);
    const bool changed = std::exchange(model_, frame.snapshot.model) != frame.snapshot.model;
    const Lesson* first = folder_.lessons().empty() ? nullptr : folder_.lessons().front().get();
    offer_fits_ = first && fits(frame.snapshot, *first, first->steps.front().scene);
    const bool given_up = giving_up_ && frame.snapshot.given_up >= *giving_up_;
    if (given_up) giving_up_.reset();
    if (given_up && !changed && wanted_) drop_wanted();
    if (!changed) return note_refusal(frame.snapshot);
    making_.reset();
    const Lesson* waits = wanted();
    const Scene* here = lesson_ ? &scene() : waits ? &first_scene(*waits, wanted_->step) : nullptr;
    if (here) note_fresh(frame.snapshot, *here);
    asked_fresh_ = false;
    if (before_) {
        if (!lesson_) return return_to_former(frame);
        if (fits(frame.snapshot, *lesson_, scene())) return enter(frame);
        forget(frame);
    }
    if (!waits) return follow_left(frame);
    left_.reset();
    if (!fits(frame.snapshot, *waits, *here)) {
        if (frame.snapshot.set_aside.empty()) former_.reset();
        return;
    }
    const Wanted now = *std::exchange(wanted_, std::nullopt);
    start(frame, folder_.find(now.name), now.step);
}

/// What was on screen before the lesson has gone with its model.
void LessonRunner::forget(const Frame& frame) {
    if (lesson_ && !wanted_) wanted_ = Wanted{lesson_->name, at_};
    if (lesson_) give_experiment_back(frame);
    lesson_.reset();
    spoken_of_.reset();
    if (!frame.snapshot.set_aside.empty()) former_ = std::move(before_);  // still to be restored
    before_.reset();
    opening_ = false;
    refusal_.clear();
    stage_.forget();
    frame.state.window.lessons.open = -1;
}

/// True for a model that the lesson made, unless it is trained for a task that is not done yet.
bool LessonRunner::is_for_lesson(const Snapshot& snapshot) const {
    return snapshot.model == fresh_ && snapshot.model != for_task_;
}

/// True for an unsaved training that must not be dropped.
bool LessonRunner::is_own_training(const Snapshot& snapshot) const {
    return !unsaved_runs(snapshot).empty() && !is_for_lesson(snapshot);
}

void LessonRunner::note_task_training(const Snapshot& snapshot) {
    if (!on_screen() || !step().task || snapshot.model != fresh_) return;
    const bool done = homework_.at(lesson_->name, at_).done;
    for_task_ = snapshot.live_step > 0 && !done ? fresh_ : nullptr;
}

/// Opens the model that a step needs. If that would drop the user's own training, or takes gigabytes, the banner asks
/// first.
void LessonRunner::open_model(const Frame& frame, const Scene& scene) {
    const bool drops = is_own_training(frame.snapshot) && !can_set_aside(frame.snapshot);
    if (drops || large_size(frame.snapshot, scene) > 0) {
        Before before = std::move(*before_);
        resumed_ = progress();
        forget(frame);
        former_ = std::move(before);
        return;
    }
    values_ = {};
    stage_.forget();  // a scene still awaited belongs to the model of another step
    if (!scene.fresh && LessonStage::folder_of(frame.snapshot, scene.model).empty()) {
        refusal_ = filled_with(N_("there is no shipped model \"{1}\""), scene.model);
        return report(step().line, "model", refusal_);
    }
    opening_ = true;
    errors_before_ = frame.snapshot.error_number;
    frame.send(opening(frame, scene));
}

/// The worker could not open the step's model, and says why.
void LessonRunner::note_refusal(const Snapshot& snapshot) {
    if (!lesson_ || !opening_ || snapshot.error_number == errors_before_) return;
    opening_ = false;
    refusal_ = snapshot.error;
}

}  // namespace glassformer::app
