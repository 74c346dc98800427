#include "app/cli/homework_replay.h"

#include <chrono>
#include <nlohmann/json.hpp>

#include "app/cli/lesson_check.h"
#include "app/language/sentences.h"
#include "app/language/tr.h"
#include "app/lessons/lesson_file.h"
#include "app/lessons/scene_format.h"
#include "app/lessons/view_moment.h"
#include "core/base/background.h"
#include "core/base/error.h"
#include "core/io/json_fields.h"
#include "core/io/run_settings.h"

namespace glassformer::app {

namespace {

using nlohmann::json;
using Clock = std::chrono::steady_clock;

constexpr std::chrono::minutes training_patience{10};  // for one training
constexpr const char* in_the_file = N_("its evidence");

}  // namespace

/// A window, never shown, with the lesson's first model.
struct HomeworkReplay::Stage {
    Stage(const std::filesystem::path& file, const Lesson& lesson, const std::string& model)
        : surface(open_offscreen({1280, 720})),
          session(session_for(lesson, false, model)),
          host(*surface, {1.0f, ThemeKind::light}),
          app(session, std::filesystem::path()),
          player(app, session, *host.ui().items, [this](const std::function<void()>& input) { frame(input); }) {
        host.ui().reduce_motion = true;
        app.state().reduce_motion = true;
        app.lessons().look_also(file);
    }

    void frame(const std::function<void()>& input = {}) {
        host.begin_frame(input);
        app.draw(host);
        ImGui::End();
        ImGui::Render();
    }
    /// Sends a command; throws Error with the worker's message if it fails.
    void ask(Command command) {
        const std::uint64_t errors = session.snapshot()->error_number;
        session.send(std::move(command));
        while (!session.settled()) let_tasks_go_on(0.001);
        if (const auto now = session.snapshot(); now->error_number != errors) throw Error(now->error);
    }

    void train_again(const json& training, bool fresh, std::int64_t most_steps);
    void show(const json& scene);

    std::unique_ptr<Offscreen> surface;
    Session session;
    ImGuiHost host;
    App app;
    LessonCheck player;
};

/// Repeats the training that led to the homework, from the lesson's first model. Throws Error if it cannot be repeated.
void HomeworkReplay::Stage::train_again(const json& training, bool fresh, std::int64_t most_steps) {
    if (!training.is_object()) return;
    const auto step = field<std::int64_t>(training, "step", in_the_file);
    if (!fresh && step == session.snapshot()->live_step) return;
    if (!fresh) throw Error("the model was trained further; the task is about the model as included");
    if (step > most_steps)
        throw Error("it says {1} steps; more than {2} are not repeated (--most-steps)", step, most_steps);
    if (!has_field(training, "options")) throw Error("its evidence does not say how it was trained");
    if (const auto changed = field_or<std::string>(training, "changed", "", in_the_file); !changed.empty())
        throw Error("the training's settings changed midway ({1}), so it cannot be repeated", changed);
    TrainingSetup setup = session.snapshot()->current_run()->setup;
    setup.options = train_options_from_json(training["options"], in_the_file);
    validate(setup.options);
    ask(command::SetSeed{setup.options.seed});
    ask(command::Reset{});
    ask(command::ChangeSetup{setup});
    if (step > 0) ask(command::TrainUntil{StopAt{.step = step}});
    const auto deadline = Clock::now() + training_patience;
    while (session.snapshot()->live_step < step) {
        if (session.snapshot()->state != RunState::training) throw Error("the training stopped before that step");
        if (Clock::now() > deadline) throw Error("the training did not finish within ten minutes");
        let_tasks_go_on(0.005);
    }
    player.settle();
}

void HomeworkReplay::Stage::show(const json& scene) {
    player.settle();
    const ViewMoment moment = scene_from_json(scene, app.shown(), in_the_file);
    for (Command& command : commands_to(moment, app.shown())) ask(std::move(command));
    player.settle();
    restore(app.state(), moment, app.shown());
    player.settle();
}

HomeworkReplay::HomeworkReplay(const std::filesystem::path& lesson, std::int64_t most_steps, std::string model)
    : file_(lesson), lesson_(load_lesson(lesson)), model_(std::move(model)), most_steps_(most_steps) {
    Stage(file_, lesson_, model_).player.begin(lesson_.name);
}

std::vector<HomeworkMark> HomeworkReplay::grade(const HandedIn& handed_in, const LessonCopy& copy) {
    std::vector<HomeworkMark> marks;
    Stage stage(file_, lesson_, model_);
    LessonRunner& runner = stage.app.lessons();
    const auto mark_task = [&](HomeworkMark& mark, int step, const LessonTask& task) {
        // What was done is replayed, so it does not matter which version of the lesson it was done for.
        const int there = copy.step_like(step);
        const auto found = handed_in.tasks.find(there < 0 ? step : there);
        if (found == handed_in.tasks.end()) return void(mark.note = tr("not tried"));
        const TaskAnswer& answer = found->second;
        mark.claimed = answer.done, mark.attempts = answer.attempts, mark.hints = answer.hints;
        if (answer.evidence.empty())
            return void(mark.note = answer.done ? tr("marked as done, but without evidence") : tr("not done"));
        const json evidence = json::parse(answer.evidence);
        if (!has_field(evidence, "scene")) return void(mark.note = tr("marked as done, but without evidence"));
        stage.player.begin(lesson_.name, step + 1);
        stage.train_again(evidence.value("training", json()), runner.scene().fresh, most_steps_);
        stage.show(evidence["scene"]);
        mark.note = tr_sentence(why_not_counted(task, runner.scene(), stage.app.shown()));
        const LivePlace place = runner.place(stage.app.shown());
        mark.shown = shown_sides(task.done, place);
        mark.right = mark.note.empty() && holds(task.done, place).value_or(false);
        if (!mark.right && mark.note.empty()) mark.note = tr("replayed, it does not hold");
        if (!mark.right && there < 0)
            mark.not_marked =
                filled(tr("{1}; the lesson that {2} had has another task here"), {mark.note, copy.whose()});
    };
    const auto mark_question = [&](HomeworkMark& mark, int step) {
        const int there = copy.step_like(step);
        if (there < 0)
            return void(mark.not_marked =
                            filled(tr("the lesson that {1} had does not ask this question"), {copy.whose()}));
        const std::size_t at = there;
        const int guess = at < handed_in.guesses.size() ? handed_in.guesses[at] : LessonRunner::no_guess;
        mark.claimed = guess >= 0;
        if (guess < 0)
            return void(mark.note =
                            guess == LessonRunner::only_shown ? tr("looked at the answer") : tr("not answered"));
        stage.player.begin(lesson_.name, step + 1);
        if (guess >= static_cast<int>(runner.asked().choices.size()))
            return void(mark.note = filled_with(tr("there is no choice {1}"), guess + 1));
        mark.shown = runner.asked().choices[guess];
        const std::function<void(Command)> send = [&](Command c) { stage.session.send(std::move(c)); };
        stage.frame();
        runner.take_guess({stage.host.ui(), stage.app.shown(), stage.app.state(), send}, guess);
        stage.player.wait_for_scene();
        const std::vector<bool>& right = runner.asked().right;
        mark.right = static_cast<std::size_t>(guess) < right.size() && right[guess];
    };
    for (int step = 0; step < static_cast<int>(lesson_.steps.size()); ++step) {
        const LessonStep& s = lesson_.steps[step];
        if (!s.task && !s.question) continue;
        HomeworkMark mark{.step = step + 1, .title = s.title, .kind = s.task ? "task" : "question"};
        try {
            s.task ? mark_task(mark, step, *s.task) : mark_question(mark, step);
        } catch (const std::exception& e) {  // ours, or the JSON library's: an invalid number
            mark.right = false;
            mark.note = tr(e);
        }
        marks.push_back(std::move(mark));
    }
    return marks;
}

}  // namespace glassformer::app
