#include "app/lessons/lesson_runner.h"

#include <algorithm>
#include <filesystem>
#include <utility>

#include "app/language/tr.h"
#include "app/lessons/lesson_search.h"
#include "app/panels/leaving/leaving_question.h"
#include "app/ui/input.h"
#include "app/views/registry.h"
#include "core/base/filled.h"
#include "core/base/mark_text.h"

namespace glassformer::app {

namespace {

/// Returns which panels around the sentences to open: those that a scene mentions, so that what it shows gets the room
/// of the others. The user can open them as always.
PanelsOpen panels_of(const Scene& scene) {
    return {scene.panel == Panel::map, is_beside(scene.panel) || scene.explain, scene.panel == Panel::timeline,
            scene.panel == Panel::words};
}

/// Returns the panel with an item that is in no open panel.
SidePanel panel_with(std::string_view item) {
    if (item.starts_with("map/")) return SidePanel::map;
    return item.starts_with("timeline") || item.starts_with("playhead") ? SidePanel::timeline : SidePanel::number;
}

/// Whether two lessons are translations of each other: their steps show the same sentences with the same models.
bool says_the_same(const Lesson& a, const Lesson& b) {
    return std::ranges::equal(a.steps, b.steps, [](const LessonStep& one, const LessonStep& other) {
        return one.scene.model == other.scene.model && one.scene.sentences == other.scene.sentences;
    });
}

/// Opens the panels with what a scene highlights or covers.
void open_panels_with(const Frame& frame, const std::vector<std::string>& labels) {
    for (const std::string& label : labels)
        if (!frame.ui.items->find(std::string_view(label).substr(0, label.find(" + "))))
            frame.state.window.panels.of(panel_with(label)) = true;
}

}  // namespace

LessonRunner::LessonRunner(const std::filesystem::path& folder) : folder_(folder), error_(folder_.error()) {}

bool LessonRunner::poll(double now) {
    if (!folder_.poll(now)) return false;
    error_ = folder_.error();
    reloaded_ = true;
    return true;
}

void LessonRunner::look_also(const std::filesystem::path& place) {
    folder_.look_also(place);
    error_ = folder_.error();
    reloaded_ = true;
}

std::string LessonRunner::take(Lesson lesson) {
    reloaded_ = true;
    return folder_.take(std::move(lesson));
}

void LessonRunner::report(int line, const std::string& field, const std::string& why) {
    const std::string message = filled_with(N_("{1}:{2}: {3}: {4}"), lesson_->name, line, field, why);
    if (error_.find(message) == std::string::npos) error_ += (error_.empty() ? "" : "\n") + message;
}

void LessonRunner::update(const Frame& frame) {
    if (std::exchange(reloaded_, false)) take_reloaded(frame);
    follow_model(frame);
    frame.state.window.lessons.waits = wanted() != nullptr;
    note_task_training(frame.snapshot);
    obey(frame);
    take_answer(frame);
    train_for_wait(frame);
    follow_experiment(frame);
    // If the user has left the scene, the numbers stay those of the text.
    if (on_screen() && values_.snapshot != frame.snapshot.number) {
        if (stage_.shows(frame.snapshot))
            look_up(frame.snapshot);
        else
            close_numbers();
    }
    set_secrets(frame);
    std::vector<std::string>& lights = frame.state.window.lights.lights;
    if (!on_screen())
        lights.clear();
    else if (lights != values_.lights)
        lights = values_.lights;
}

void LessonRunner::take_answer(const Frame& frame) {
    const int line = lesson_ ? step().line : 0;
    if (!stage_.arrives(frame, lesson_ ? &scene() : nullptr, line, reporter())) return;
    if (!lesson_) return put_back(frame);
    turn_to_panel(frame.state);
    frame.state.window.panels = panels_of(scene());
    frames_shown_ = 0;
    ++scenes_;
    show_experiment(frame);
    look_up(frame.snapshot);
}

/// A changed lesson stays at its step; the menu gets the new titles.
void LessonRunner::take_reloaded(const Frame& frame) {
    LessonMenu& menu = frame.state.window.lessons;
    menu.titles.clear(), menu.also.clear();
    for (const auto& lesson : folder_.lessons()) {
        menu.titles.push_back(lesson->title);
        std::string& also = menu.also.emplace_back(lesson->about);
        for (const LessonStep& step : lesson->steps)
            also += " " + step.title + " " + step.scene.sentences[0] + " " + step.scene.sentences[1];
    }
    if (!lesson_) return;
    const int which = folder_.find(lesson_->name);
    menu.open = which;
    if (which < 0 || folder_.lessons()[which] == lesson_) return;
    const std::shared_ptr<const Lesson> before = std::exchange(lesson_, folder_.lessons()[which]);
    if (before->language != lesson_->language && says_the_same(*before, *lesson_)) return say_again(frame);
    const auto count = lesson_->steps.size();
    at_ = std::min(at_, static_cast<int>(count) - 1);
    guesses_.resize(count, no_guess);
    asked_.assign(count, {});
    for (std::size_t i = 0; i < count; ++i)
        if (!lesson_->steps[i].question || guesses_[i] >= static_cast<int>(lesson_->steps[i].question->choices.size()))
            guesses_[i] = no_guess;
    enter(frame);
}

/// Changes the language; what is on screen and what was answered stays.
void LessonRunner::say_again(const Frame& frame) {
    asked_.assign(lesson_->steps.size(), {});
    values_ = {};
    if (!on_screen() || !spoken_of_) return;
    const Snapshot of = *spoken_of_;  // if the user has left the scene, not what is on screen now
    look_up(of);
    if (!stage_.shows(frame.snapshot)) close_numbers();
    values_.snapshot = frame.snapshot.number;
}

bool LessonRunner::waits(const Snapshot& snapshot) const {
    if (lesson_ && stage_.trains(snapshot)) return true;
    if (experiment_runs(snapshot)) return true;
    return on_screen() && scene().wait && !holds(*scene().wait, place(snapshot)).value_or(false);
}

/// Trains until the step's `wait` condition holds, unless the user has paused.
void LessonRunner::train_for_wait(const Frame& frame) {
    if (!on_screen() || !scene().wait) return;
    const bool training = frame.snapshot.state == RunState::training;
    if (waits(frame.snapshot) && !waited_) {
        if (!training) frame.send(command::Train{});
        waited_ = true;
    } else if (!waits(frame.snapshot) && std::exchange(waited_, false) && training) {
        frame.send(command::Pause{});
    }
}

// --------------------------------------------------------------------------------------------------- from step to step

void LessonRunner::obey(const Frame& frame) {
    LessonMenu& menu = frame.state.window.lessons;
    LessonMenu::Ask ask = std::exchange(menu.ask, LessonMenu::Ask::nothing);
    if (ask == LessonMenu::Ask::start) {
        former_.reset();
        if (!menu.named.empty()) {
            menu.which = folder_.find(std::exchange(menu.named, {}));
            if (menu.which < 0) return;
            menu.step = std::max(0, step_about(*folder_.lessons()[menu.which], menu.about));
        }
        if (std::exchange(menu.of_view, false)) {
            const std::string_view view = chosen_view(frame.state).name;
            menu.which = first_with_view(folder_.lessons(), view);
            if (menu.which < 0) return;
            menu.step = step_with_view(*folder_.lessons()[menu.which], view);
        }
        return start(frame, menu.which, menu.step);
    }
    if (ask == LessonMenu::Ask::leave && wanted()) return give_up_wanted(frame);
    const bool begins = ask == LessonMenu::Ask::forward && wanted() && can_open_wanted(frame.snapshot);
    if (std::exchange(menu.open_model, false) || begins) return making(frame.snapshot) ? void() : open_wanted(frame);
    if (!lesson_) return;
    const int last = static_cast<int>(lesson_->steps.size()) - 1;
    const bool shows_answer = asks() && refusal_.empty();  // without a model there is none: the way leads on
    const bool at_end = at_ == last && !shows_answer;
    if (ask == LessonMenu::Ask::forward && at_end) return;
    if (ask == LessonMenu::Ask::backward && step().question && !asks() && !has_tasks(*lesson_)) return ask_again(frame);
    if (ask == LessonMenu::Ask::forward) ask = LessonMenu::Ask::next;
    if (ask == LessonMenu::Ask::backward) ask = LessonMenu::Ask::back;
    if (ask == LessonMenu::Ask::leave || (ask == LessonMenu::Ask::next && at_end)) {
        // A lesson left on its last page starts over next time; homework stays until it is finished.
        if (at_end && (ask == LessonMenu::Ask::next || !has_tasks(*lesson_))) memory_.at[lesson_->name] = last + 1;
        return leave(frame);
    }
    if (ask == LessonMenu::Ask::next && shows_answer) return take_guess(frame, only_shown);
    if (ask == LessonMenu::Ask::next && waits(frame.snapshot)) return;
    if (ask == LessonMenu::Ask::next) ++at_, enter(frame);
    if (ask == LessonMenu::Ask::back && at_ > 0) --at_, enter(frame);
    if (ask == LessonMenu::Ask::again) enter(frame);
    if (ask == LessonMenu::Ask::over) start_over(frame);
}

void LessonRunner::start(const Frame& frame, int which, int step) {
    if (which < 0 || which >= static_cast<int>(folder_.lessons().size())) return;
    const std::shared_ptr<const Lesson>& lesson = folder_.lessons()[which];
    wanted_.reset(), making_.reset();
    const Scene& first = first_scene(*lesson, step);
    note_fresh(frame.snapshot, first);
    const bool playing = before_.has_value() && lesson_;  // another lesson's models follow without a question
    if (!playing && !fits(frame.snapshot, *lesson, first)) return void(wanted_ = Wanted{lesson->name, step});
    if (!before_) before_ = former_ ? std::move(former_) : left_ ? std::move(left_) : screen_of(frame);
    former_.reset();
    left_.reset();
    memory_.offer = false;
    if (playing && lesson != lesson_ && at_ + 1 == static_cast<int>(lesson_->steps.size())) ++memory_.at[lesson_->name];
    if (lesson != lesson_) {
        take_work_back(frame, *lesson);
        guesses_.assign(lesson->steps.size(), no_guess);
        asked_.assign(lesson->steps.size(), {});
    }
    lesson_ = lesson;
    take_guesses_back();
    frame.state.window.lessons.open = which;
    at_ = step_to_begin(*lesson_, step);
    enter(frame);
}

void LessonRunner::take_guesses_back() {
    const std::optional<Progress> resumed = std::exchange(resumed_, std::nullopt);
    if (!resumed || resumed->lesson != lesson_->name) return;
    for (std::size_t i = 0; i < std::min(guesses_.size(), resumed->guesses.size()); ++i) {
        const std::optional<Question>& q = lesson_->steps[i].question;
        const int choices = q ? std::max(q->count, static_cast<int>(q->choices.size())) : 0;
        const int guess = resumed->guesses[i];
        if (q && guess >= only_shown && guess < choices) guesses_[i] = guess;
    }
}

const Scene& LessonRunner::scene() const {
    return step().question && guess() != no_guess ? step().question->scene : step().scene;
}

void LessonRunner::enter(const Frame& frame) {
    memory_.at[lesson_->name] = at_;
    values_ = {};
    checked_ = false;
    opening_ = waited_ = experiment_ended_ = false;
    refusal_.clear();
    if (!fits(frame.snapshot, *lesson_, scene())) return open_model(frame, scene());
    const bool same_model = before_->model == frame.snapshot.model;
    std::array<std::string, 2> texts{frame.snapshot.text_of(0), frame.snapshot.text_of(1)};
    if (const Beside& other = scene().beside;
        !other.model.empty() && LessonStage::folder_of(frame.snapshot, other.model).empty())
        report(step().line, "beside", filled_with(N_("there is no shipped model \"{1}\""), other.model));
    stage_.begin(frame, scene(), same_model ? before_->shown.texts : texts);
    take_answer(frame);
}

void LessonRunner::turn_to_panel(ViewState& state) const {
    const Panel panel = scene().panel;
    if (panel == Panel::words || panel == Panel::meaning) state.side_panel = panel;
    state.narrow_panel = panel == Panel::words ? Panel::meaning : panel;
}

/// Goes back from an answer to its question.
void LessonRunner::ask_again(const Frame& frame) {
    guesses_[at_] = no_guess;
    enter(frame);
}

void LessonRunner::take_guess(const Frame& frame, int choice) {
    if (!asks() || !on_screen()) return;
    guesses_[at_] = choice;
    enter(frame);
}

// ------------------------------------------------------------------------------------------------------- its numbers

void LessonRunner::look_up(const Snapshot& snapshot) {
    if (!spoken_of_ || spoken_of_->number != snapshot.number) spoken_of_ = snapshot;
    const LivePlace here = place(snapshot);
    AskedQuestion& asked = asked_[at_];
    values_ = {};
    values_.snapshot = snapshot.number;
    for (const LiveText& light : scene().lights) values_.lights.push_back(evaluate(light, here));
    for (const LiveText& hide : scene().hides) values_.hides.push_back(evaluate(hide, here));
    // Keep the question as it was asked.
    const bool answered = step().question && !asks();
    if (!answered || asked.text.text.empty())
        asked.text = shown_text(step().text, here);
    else
        open_what_is_there(asked.text, here);
    if (!step().question) return;
    const Question& q = *step().question;
    if (!answered || asked.choices.empty()) asked.choices = choices_of(q, here);
    if (!answered) return void(asked.right.clear());
    values_.after = shown_text(q.after, here);
    if (asked.right.empty() && !experiment_runs(snapshot)) {
        asked.right = right_ones(q, asked.choices, here);
        if (const std::string why = why_not_one(q, asked, here); !why.empty()) report(q.line, "choice", why);
    }
    values_.because = why_wrong(q, asked, guess(), here);
}

/// Numbers that are no longer on screen cannot be opened.
void LessonRunner::close_numbers() {
    for (ShownText* shown : {&asked_[at_].text, &values_.after, &values_.because})
        for (LiveValue& value : shown->values) value.cell.reset();
}

void LessonRunner::set_secrets(const Frame& frame) const {
    LessonSecrets& secrets = frame.own<LessonSecrets>();
    secrets = lesson_ && has_model() && asks() ? secrets_of(step(), place(frame.snapshot)) : LessonSecrets{};
}

void LessonRunner::check_items(const Frame& frame, const LiveText& source, std::string_view labels, const char* field) {
    for (const std::string_view label : joined_labels(labels))
        if (!frame.ui.items->find(label))
            report(source.line, field, filled_with(N_("there is no item \"{1}\" on screen"), label));
}

void LessonRunner::check(const Frame& frame, bool all_panels) {
    constexpr int settled = 4;  // frames until scroll areas and new panels have settled
    if (!on_screen() || checked_ || experiment_runs(frame.snapshot)) return;
    if (++frames_shown_ == 1 && all_panels) {
        open_panels_with(frame, values_.lights);
        open_panels_with(frame, values_.hides);
    }
    if (frames_shown_ < settled || values_.snapshot == 0) return;
    checked_ = true;
    for (std::size_t i = 0; all_panels && i < values_.lights.size(); ++i)
        check_items(frame, scene().lights[i], values_.lights[i], "light");
    for (std::size_t i = 0; all_panels && i < values_.hides.size(); ++i)
        check_items(frame, scene().hides[i], values_.hides[i], "hide");
    const auto known = [&](const ShownText& shown) {
        std::size_t k = 0;
        for (const LiveText::Piece& piece : shown.text.pieces)
            if (piece.live && !shown.values[k++].known)
                report(piece.live->line, "text",
                       filled_with(N_("{{1}} is not in the sentences or the model"), piece.live->source));
    };
    known(text());
    known(values_.after);
    known(values_.because);
}

std::string_view LessonRunner::reveal() const {
    if (!on_screen() || checked_ || values_.lights.empty()) return {};
    // Of several items framed together, the last one, which is lowest.
    const std::string_view first = values_.lights.front();
    const std::size_t plus = first.rfind(" + ");
    return plus == std::string_view::npos ? first : first.substr(plus + 3);
}

void LessonRunner::handle_keys(const Frame& frame) {
    if (!lesson_ || wanted() || !keys_are_commands() || ctrl_down() || frame.ui.focus->covered()) return;
    LessonMenu& menu = frame.state.window.lessons;
    if (key_pressed(Key::n) || (key_pressed(Key::enter) && !frame.ui.focus->any())) menu.ask = LessonMenu::Ask::next;
    if (key_pressed(Key::p)) menu.ask = LessonMenu::Ask::back;
    if (!asks() || !on_screen()) return;
    for (int i = 0; i < static_cast<int>(asked().choices.size()); ++i)
        if (key_pressed(static_cast<Key>(static_cast<int>(Key::d1) + i))) return take_guess(frame, i);
}

}  // namespace glassformer::app
