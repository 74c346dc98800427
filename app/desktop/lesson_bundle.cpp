
#include <algorithm>
#include <utility>

#include "app/desktop/app.h"
#include "app/language/sentences.h"
#include "app/language/tr.h"
#include "app/lessons/experiment_json.h"
#include "app/lessons/lesson_file.h"
#include "app/lessons/scene_format.h"
#include "app/panels/leaving/saving.h"
#include "core/base/error.h"
#include "core/base/mark_text.h"
#include "core/io/json_fields.h"

// What is stored with a model in a .glass file, and restored on screen when that is opened.
namespace glassformer::app {

namespace {

constexpr std::size_t most_steps = 1000;

LessonRunner::Progress progress_from_json(const nlohmann::json& object, const std::string& name,
                                          const std::string& file) {
    LessonRunner::Progress progress{name, field_or<int>(object, "step", 0, file), {}};
    if (!has_field(object, "guesses")) return progress;
    const nlohmann::json& guesses = object["guesses"];
    if (!guesses.is_array() || guesses.size() > most_steps)
        fail_in_field(file, "guesses", N_("must be a list of numbers, one for each step"));
    for (const nlohmann::json& guess : guesses) {
        if (!guess.is_number_integer())
            fail_in_field(file, "guesses", N_("must be a list of numbers, one for each step"));
        const auto value = guess.get<std::int64_t>();
        progress.guesses.push_back(value > -3 && value < 100 ? static_cast<int>(value) : LessonRunner::no_guess);
    }
    return progress;
}

}  // namespace

LessonBundle App::handed_on(const std::optional<std::string>& worker) const {
    LessonBundle with;
    const LessonRunner::Progress progress = lessons_.progress();
    if (const Lesson* lesson = lessons_.lesson().get()) {
        with.lesson = lesson->source;
        with.lesson_name = progress.lesson;
        for (const auto& picture : lesson->pictures)
            if (picture->problem.empty()) with.pictures.push_back({picture->file, picture->png});
        if (has_tasks(*lesson) && !worker) return with;
        if (has_tasks(*lesson))
            with.answers = answers_to_json(
                {*worker, progress.lesson, lessons_.homework().of_lesson(progress.lesson), progress.guesses});
    }
    nlohmann::json scene = scene_to_json(moment_of(state_, *snapshot_), *snapshot_);
    if (lessons_.open()) scene["lesson"] = {{"step", progress.at}, {"guesses", progress.guesses}};
    const auto& page = state_.own<ExperimentState>();
    const bool of_file =
        page.kept.experiment && (!snapshot_->experiment || snapshot_->experiment->id == page.kept.after);
    const auto& experiment = of_file ? page.kept.experiment : snapshot_->experiment;
    if (page.open && experiment) scene["experiment"] = experiment_to_json(*experiment, page);
    with.scene = scene.dump(2) + "\n";
    return with;
}

LessonBundle App::left_off() const {
    return handed_on(lessons_.open() ? lessons_.homework().student_of(lessons_.lesson()->name) : std::string());
}

void App::show_handed_on() {
    if (arrived_ != snapshot_->model) arrive();
    show_linked();
    // A lesson's step comes on screen first, then what was changed in it.
    if (!to_show_ || !lessons_.rests()) return;
    restoring_ = std::exchange(to_show_, std::nullopt);
    for (Command& command : commands_to(*restoring_, *snapshot_)) send_(std::move(command));
}

/// Shows it on the page of experiments, until another one begins.
void App::show_kept_experiment(const nlohmann::json& object, const std::string& file) {
    auto& page = state_.own<ExperimentState>();
    page.kept = experiment_from_json(object, file);
    page.kept.after = snapshot_->experiment ? snapshot_->experiment->id : 0;
    page.claim = page.kept.claim;
    page.chosen.clear();
    for (const Knob& knob : page.kept.experiment->plan.knobs) {
        page.chosen.push_back(knob.name);
        page.values[knob.name] = text_of(knob.values);
    }
    page.open = true;
}

std::shared_ptr<const LessonBundle> App::just_came() const {
    if (arrived_ == snapshot_->model) return nullptr;
    const std::shared_ptr<const LessonBundle> came = session_.handed_on(*snapshot_->model);
    const bool brings = came && came != came_ && !(came->scene.empty() && came->lesson.empty());
    return brings ? came : nullptr;
}

void App::arrive() {
    to_show_.reset();
    // A lesson that restores what was on screen does that by itself.
    if (!lessons_.playing()) state_.own<ExperimentState>().kept = {};
    const std::shared_ptr<const LessonBundle> came = just_came();
    arrived_ = snapshot_->model;
    if (!came) return;
    came_ = came;
    if (lessons_.playing()) return;
    lessons_.drop_wanted();
    const LessonBundle& with = *came;
    const bool as_new = with.scene.empty();
    const std::string file = arrived_->folder + ": scene.json";
    try {
        const nlohmann::json scene = as_new ? nlohmann::json::object() : parse_object(with.scene, file);
        if (!as_new) to_show_ = scene_from_json(scene, *snapshot_, file);
        if (has_field(scene, "experiment")) show_kept_experiment(scene["experiment"], file);
        if (with.lesson.empty()) return;
        const std::string name =
            lessons_.take(parse_lesson(with.lesson, with.lesson_name, [&](const std::string& wanted) {
                const auto found = std::ranges::find(with.pictures, wanted, &LessonBundle::Picture::name);
                if (found == with.pictures.end()) throw Error("it is not included with the lesson");
                return found->png;
            }));
        if (as_new) {
            start_lesson(name);
            state_.window.lessons.step = -1;  // where the student left it, if anywhere
            return;
        }
        LessonRunner::Progress progress =
            progress_from_json(has_field(scene, "lesson") ? scene["lesson"] : nlohmann::json::object(), name, file);
        const auto& lesson = lessons_.folder().lessons()[lessons_.folder().find(name)];
        const int step = std::min(progress.at, static_cast<int>(lesson->steps.size()) - 1) + 1;
        lessons_.remember(std::move(progress));
        if (!with.answers.empty()) {
            HandedIn in = answers_from_json(with.answers, arrived_->folder + ": answers.json");
            if (!in.student.empty())
                state_.window.notice = {
                    filled(tr("These are the answers of {1}. Changes are not saved; to keep them, hand in again."),
                           {in.student}),
                    true};
            lessons_.homework().take(name, std::move(in.tasks), std::move(in.student));
        }
        start_lesson(name, step);
    } catch (const std::exception& e) {  // ours, or the JSON library's: an invalid number
        state_.window.notice = {
            filled(tr("The model is open, but the screen saved with it could not be restored: {1}"), {tr(e)})};
    }
}

void App::hand_on(const Frame& frame) {
    const HandingOn asked = std::exchange(frame.state.window.handing_on, {});
    if (asked.file.empty()) return;
    const bool hands_in = !asked.student.empty();
    const LessonBundle with = handed_on(hands_in ? std::optional(asked.student) : std::nullopt);
    std::string done = filled(
        hands_in             ? tr("Your answers are saved in {1}. Send that file to your teacher.")
        : with.scene.empty() ? tr("The model and this homework are saved in {1}, without your answers and this screen.")
                             : tr("The model and this screen are saved in {1}. Opening that file brings both back."),
        {asked.file});
    if (hands_in && lessons_.lesson())
        for (const LessonStep& step : lessons_.lesson()->steps) {
            const auto number = static_cast<int>(&step - lessons_.lesson()->steps.data());
            const TaskAnswer answer = lessons_.homework().at(lessons_.lesson()->name, number);
            if (answer.done && !answer.changed.empty()) done += " " + why_not_marked(step.title, answer);
        }
    begin_saving(frame, asked.file, done);
    session_.hand_on(asked.file, with);
}

}  // namespace glassformer::app
