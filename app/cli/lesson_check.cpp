#include "app/cli/lesson_check.h"

#include <algorithm>
#include <chrono>
#include <sstream>
#include <utility>

#include "app/script/runner.h"
#include "app/ui/input.h"
#include "core/base/background.h"
#include "core/base/join.h"
#include "core/base/mark_text.h"

namespace glassformer::app {

namespace {

const auto no_input = [] { script_mouse({-1e6f, -1e6f}, false, false); };
constexpr int still_frames = 8;  // until scrolled areas have settled and the lesson has checked itself
constexpr std::chrono::minutes patience{5};

using Clock = std::chrono::steady_clock;

/// The model as the lesson's file names it: "fresh homonyms with n_layers 3, longest 8".
std::string name_of_model(const Scene& scene) {
    std::string name = (scene.fresh ? "fresh " : "") + scene.model;
    for (const SetupSwitch& s : scene.switches)
        name += (&s == &scene.switches.front() ? " with " : ", ") + s.name + " " + s.value;
    return name;
}

}  // namespace

LessonCheck::LessonCheck(App& app, Session& session, Items& items, DrawFrame frame)
    : app_(app), session_(session), items_(items), frame_(std::move(frame)), sight_(items) {
    items.keep_texts(true);
}

void LessonCheck::report(int line, const std::string& what) { report_at(app_.lessons().at(), line, what); }

void LessonCheck::report_at(int step, int line, const std::string& what) {
    const std::string message =
        filled_with(N_("{1}:{2}: step {3}: {4}"), app_.lessons().lesson()->name, line, step + 1, what);
    if (std::ranges::find(found_, message) == found_.end()) found_.push_back(message);
}

void LessonCheck::settle() {
    const auto deadline = Clock::now() + patience;
    for (int still = 0; still < still_frames;) {
        // While a step trains its model, frames must be drawn to notice when that is done.
        if (session_.settled() || app_.lessons().waits(app_.shown())) frame_(no_input);
        if (Clock::now() > deadline) throw Error("the worker did not answer within five minutes");
        if (!session_.settled()) let_tasks_go_on(0.001);
        still = session_.settled() && !app_.state().more_to_compute ? still + 1 : 0;
    }
}

void LessonCheck::begin_again(std::uint64_t seed) {
    session_.send(command::SetSeed{seed});
    session_.send(command::Reset{});
    settle();
    app_.lessons().take_as_own(session_.snapshot()->model);
    app_.state().window.lessons.fresh_seed = seed;
}

void LessonCheck::train(std::uint64_t seed) {
    begin_again(seed);
    const std::int64_t steps = session_.snapshot()->planned_steps;
    session_.send(command::TrainUntil{StopAt{.step = steps}});
    const auto deadline = Clock::now() + patience;
    while (session_.snapshot()->live_step < steps) {
        if (Clock::now() > deadline) throw Error("the training did not end within five minutes");
        let_tasks_go_on(0.005);
    }
    settle();
}

/// A model may have to be opened, or trained, for it.
void LessonCheck::wait_for_scene() {
    const auto deadline = Clock::now() + patience;
    const LessonRunner& lessons = app_.lessons();
    const bool begun = lessons.open();
    const auto came = [&] { return lessons.on_screen() && !lessons.waits(app_.shown()); };
    do {
        settle();
        if (begun && lessons.wanted_size(app_.shown()) > 0) {  // the banner asks for it
            app_.state().window.lessons.open_model = true;
            settle();
        }
        if (begun && lessons.wanted()) throw Error("its model was not created: {1}", session_.snapshot()->error);
        if (lessons.open() && !came() && (cannot_come() || Clock::now() > deadline)) throw Error(why_no_scene());
    } while (lessons.open() && !came());
    settle();
    if (lessons.open()) errors_ = session_.snapshot()->error_number;
}

/// True if nothing is under way that would bring the scene, and a problem was reported.
bool LessonCheck::cannot_come() const {
    const std::shared_ptr<const Snapshot> s = session_.snapshot();
    if (app_.lessons().on_screen() || s->state == RunState::training) return false;
    return s->error_number != errors_ || !told_of("model").empty();
}

std::string LessonCheck::why_no_scene() const {
    const Scene& scene = app_.lessons().scene();
    const std::shared_ptr<const Snapshot> s = session_.snapshot();
    if (app_.lessons().waits(app_.shown()) && !scene.wait)
        return N_("experiment: its runs did not end within five minutes");
    if (app_.lessons().waits(app_.shown()))
        return filled_with(N_("wait: {1} did not hold within five minutes"), scene.wait->source);
    if (const std::string what = told_of("model"); !what.empty()) return what;
    if (s->error_number == errors_) return N_("its scene did not appear within five minutes");
    if (scene.fresh) return filled_with(N_("model: {1}: {2}"), name_of_model(scene), s->error);
    return filled_with(N_("its scene did not appear: {1}"), s->error);
}

Error LessonCheck::why_not_begun(const std::string& name) const {
    const LessonRunner& lessons = app_.lessons();
    const Lesson* const lesson = lessons.wanted();
    if (!lesson || lessons.wanted_model().empty()) return Error("the lesson \"{1}\" did not start on this model", name);
    const std::shared_ptr<const Snapshot> s = session_.snapshot();
    const bool is_here = lessons.wants_fresh() || !LessonStage::folder_of(*s, lessons.wanted_model()).empty();
    if (!is_here || s->error_number == errors_)
        return Error("the lesson \"{1}\" did not start on this model: it needs \"{2}\"; give that with --model", name,
                     lessons.wanted_model());
    return Error("the lesson \"{1}\" did not start: model: {2}: {3}", name,
                 name_of_model(lesson->steps[asked_step_ - 1].scene), s->error);
}

void LessonCheck::begin(const std::string& name, int step) {
    errors_ = session_.snapshot()->error_number;
    asked_step_ = step;
    app_.start_lesson(name, step);
    wait_for_scene();
    if (!app_.lessons().open()) throw why_not_begun(name);
}

void LessonCheck::look_at_claim(const Condition& claim, bool once_done) {
    const LivePlace place = app_.lessons().place(app_.shown());
    if (holds(claim, place).value_or(false)) return;
    const std::string here = join(claim.all, ", ", [&](const auto& c) { return evaluate(c, place); });
    report(claim.line, filled_with(once_done ? N_("the text says that once that is done {1}, and here it is {2}")
                                             : N_("the text says that {1}, and here it is {2}"),
                                   claim.source, here));
}

/// Does what the text asks the student to do, and checks what it says of that against the model.
void LessonCheck::do_what_is_asked(const Scene& scene) {
    if (app_.state().presenter) return;  // students use the window
    for (const LessonTry& asked : scene.tries) {
        std::string script;
        for (const std::string& action : asked.actions) script += action + "\n";
        const std::string what = play_script(script);
        if (!what.empty()) {
            report(asked.line, filled_with(N_("try: {1}"), what));
            break;
        }
        settle();
        if (const Condition& then = asked.then; !then.all.empty()) look_at_claim(then, true);
    }
    if (scene.tries.empty()) return;
    app_.state().window.lessons.ask = LessonMenu::Ask::again;
    wait_for_scene();
}

/// Returns "" or what failed.
std::string LessonCheck::play_script(const std::string& script) {
    try {
        ScriptRunner runner(parse_script(script, "script"));
        while (!runner.finished()) {
            frame_([&] { runner.step(items_, app_.state().scale); });
            runner.after_frame();
        }
        return runner.message().substr(std::min(runner.message().size(), std::string_view("script:1: ").size()));
    } catch (const Error& e) {
        return e.what();
    }
}

/// Answers with the choice whose explanation of why it is wrong is the longest; if there is none, asks for the answer.
void LessonCheck::answer() {
    const Question& q = *app_.lessons().step().question;
    const LiveText longest = longest_because(q);
    int key = 0;
    for (std::size_t i = 0; i < q.choices.size(); ++i)
        if (!longest.empty() && q.choices[i].because.line == longest.line) key = static_cast<int>(i) + 1;
    if (q.of && !longest.empty()) {
        const std::string right = evaluate(*q.of, app_.lessons().place(app_.shown())).shown;
        key = app_.lessons().asked().choices.front() == right ? 2 : 1;
    }
    if (key > 0)
        play_script("key " + std::to_string(key));
    else
        app_.state().window.lessons.ask = LessonMenu::Ask::next;
}

/// The errors of this lesson, and not of others in its folder.
std::vector<LessonCheck::Told> LessonCheck::told() const {
    const std::string name = app_.lessons().lesson()->name + ":";
    std::istringstream errors(app_.lessons().error());
    std::vector<Told> all;
    for (std::string line; std::getline(errors, line);) {
        const std::size_t field = line.find(": ", name.size());
        if (line.starts_with(name) && field != std::string::npos)
            all.push_back({std::atoi(line.c_str() + name.size()), line.substr(field + 2)});
    }
    return all;
}

/// The first error of a field; empty if there is none.
std::string LessonCheck::told_of(const std::string& field) const {
    for (const Told& told : told())
        if (told.what.starts_with(field + ":")) return told.what;
    return {};
}

void LessonCheck::report_trained_models() {
    std::string trained;
    const std::vector<LessonStep>& steps = app_.lessons().lesson()->steps;
    for (std::size_t i = 0; i < steps.size(); ++i) {
        const LessonStep& step = steps[i];
        const Scene& scene = step.scene;
        if (scene.fresh && step.task && scene.switches.empty()) trained = scene.model;
        if (scene.fresh || scene.shipped || trained.empty() || scene.model != trained) continue;
        report_at(
            static_cast<int>(i), step.line,
            filled_with(N_("\"model: {1}\" after a task on a fresh one is the student's own model; leave the line "
                           "out to stay on it, or write \"model: shipped {1}\" for the program's"),
                        trained));
    }
}

void LessonCheck::report_told() {
    for (const Told& told : told()) report(told.line, told.what);
    app_.lessons().dismiss_error();
}

void LessonCheck::look(bool after) {
    LessonRunner& lessons = app_.lessons();
    report_told();
    const Snapshot& s = app_.shown();
    const Scene& scene = lessons.scene();
    for (int slot = 0; slot < (scene.compare ? 2 : 1); ++slot)
        if (const std::string& error = s.sentences[slot].error; !error.empty())
            report(lessons.step().line, filled_with(N_("sentence {1}: {2}"), slot ? "B" : "A", error));
    // What a step inherits from the one before was reported there.
    const std::vector<std::string> before =
        std::exchange(not_there_, not_of_model(lessons.step(), scene, s, app_.state()));
    for (const std::string& what : not_there_)
        if (std::ranges::find(before, what) == before.end()) report(lessons.step().line, what);
    if (const Item* scrolls = items_.find("lesson/scrolls");
        scrolls && !app_.state().presenter && scrolls->value.value_or(0) > 0)
        report(lessons.step().line,
               filled_with(N_("the text is {1} pixels too long for its box"), static_cast<int>(*scrolls->value)));
    for (const Condition& claim : scene.claims) look_at_claim(claim, false);
    if (const std::optional<LessonTask>& task = lessons.step().task;
        task && holds(task->done, lessons.place(s)).value_or(false))
        report(task->line,
               filled_with(N_("the task is done before the student does anything: {1}"), task->done.source));
    if (sheet_) sheet_->add(lessons, s);
    if (after)
        for (const std::string& early : sight_.told_early(lessons, s)) report(lessons.step().question->line, early);
    for (const std::string& label : sight_.lights_out_of_sight(lessons))
        if (!app_.state().presenter)
            report(lessons.step().line, filled_with(N_("light: \"{1}\" is not in sight"), label));
    if (app_.state().presenter && !lessons.lights().empty() && !sight_.points_at_something(lessons))
        report(lessons.step().line,
               filled_with(N_("on the stage, nothing that it points at is on the screen: {1}; choose "
                              "another panel"),
                           lessons.lights().front()));
    sight_.add(lessons);
    do_what_is_asked(scene);
}

void LessonCheck::play_steps() {
    const LessonRunner& lessons = app_.lessons();
    LessonMenu& menu = app_.state().window.lessons;
    for (;;) {
        look(false);
        if (lessons.asks()) {
            answer();
            wait_for_scene();
            look(true);
        }
        if (lessons.at() + 1 == static_cast<int>(lessons.lesson()->steps.size())) return;
        menu.ask = LessonMenu::Ask::next;
        wait_for_scene();
    }
}

std::vector<std::string> LessonCheck::play(const std::string& name) {
    const LessonRunner& lessons = app_.lessons();
    found_.clear();
    not_there_.clear();
    sight_.begin();
    try {
        begin(name);
        report_trained_models();
        play_steps();
    } catch (const Error& e) {
        if (!lessons.open()) throw;
        const bool last = lessons.at() + 1 == static_cast<int>(lessons.lesson()->steps.size());
        report_told();
        report(lessons.step().line, e.what());
        if (sheet_) throw Error(found_.back());  // half a sheet would look like a whole one
        if (!last) found_.back() = filled_with(N_("{1}; the steps after it were not checked"), found_.back());
        return found_;
    }
    app_.state().window.lessons.ask = LessonMenu::Ask::leave;
    do settle();  // what was on screen before is restored, its model too
    while (lessons.playing());
    return found_;
}

}  // namespace glassformer::app
