#pragma once

#include <filesystem>
#include <functional>
#include <string>
#include <vector>

#include "app/common/view_state.h"
#include "app/desktop/app.h"
#include "app/lessons/lesson.h"
#include "app/lessons/lesson_runner.h"
#include "app/session/session.h"
#include "core/base/error.h"

namespace glassformer::app {

/// What a teacher needs of a lesson on one page: its question, its time, what each step says with the numbers that will
/// be seen, the questions with their answers, what to try, what goes wrong, and exercises. Taken from the lesson as it
/// is played, so that it never says anything else than the screen.
class LessonSheet {
public:
    /// The step that is on screen, before its guess or after it.
    void add(const LessonRunner& lessons, const Snapshot& shown);
    /// A page of HTML, complete in itself.
    std::string html() const;

private:
    struct Step {
        int at = 0;
        std::string title, text, after, model;
        std::vector<std::string> choices;
        std::vector<bool> right;
        std::string notes;
    };
    std::string title_, about_;
    std::vector<std::string> goes_wrong_, exercises_;
    int minutes_ = 0;
    std::vector<Step> steps_;
};

/// What was in sight on the screens of a lesson, so that an answer is found which stood there before it was asked for.
/// An answer is what the choices compare, as a number or printed in the lesson's text, what the answer points at, and
/// the words in which the right choice differs from the others. Covered items, and those that are scrolled away or lie
/// under the lesson's text, are not in sight.
class LessonSight {
public:
    explicit LessonSight(const Items& items) : items_(items) {}

    void begin() { screens_.clear(); }
    /// The screen of the step as it is now.
    void add(const LessonRunner& lessons);
    /// Once a question is answered and its answer on the screen: where that was in sight before, a sentence each.
    std::vector<std::string> told_early(const LessonRunner& lessons, const Snapshot& shown) const;
    /// What the step lights and what is on the page, but scrolled away or below something.
    std::vector<std::string> lights_out_of_sight(const LessonRunner& lessons) const;
    /// Whether anything that the step lights is on the screen.
    bool points_at_something(const LessonRunner& lessons) const;

private:
    bool is_on_screen(const Item& item) const;  ///< there may be a cover on it
    bool in_sight(const Item& item) const;
    bool is_told(const Items::DrawnText& text) const;  ///< by the lesson, and no number of a model

    struct Seen {
        std::string label, text;
        std::optional<double> value;
    };
    /// What is pointed at: an item, or several in one frame.
    struct Light {
        std::string labels;
        std::vector<std::string> numbers;  ///< labels of the numbers in it: its own, and those of a picture
    };
    struct Screen {
        int step = 0;
        std::string title;
        std::vector<Seen> items;
        std::vector<std::string> texts;  ///< of the lesson, as its author wrote them; no choices
        std::vector<Light> lights;       ///< what it points at
    };
    const Seen* find(const Screen& screen, std::string_view label) const;
    std::string numbers_in(const Screen& screen, const LessonSecrets& answer) const;
    std::string texts_in(const Screen& screen, const LessonSecrets& answer) const;
    bool shows_same(const Screen& screen, const Screen& answer, const Light& light) const;
    std::string lights_in(const Screen& screen, const Screen& answer) const;
    Screen screen_of(const LessonRunner& lessons) const;

    const Items& items_;
    std::vector<Screen> screens_;
};

/// Plays a lesson as a student would who sees every step, guesses wrong and does what the text asks for, and collects
/// what is wrong with it on the model that is open: a question without exactly one right choice, a text that says what
/// does not hold or does not fit its box, an answer in sight before the guess, items and numbers that are not there.
class LessonCheck {
public:
    /// Draws one frame of the app, with this input.
    using DrawFrame = std::function<void(const std::function<void()>& input)>;
    /// `items` are the app's.
    LessonCheck(App& app, Session& session, Items& items, DrawFrame frame);

    /// "try:12: step 3: …", in the order of the steps; empty when all is well. Where a step never comes on screen, it
    /// ends with that. Throws Error where there is no such lesson, or it does not begin.
    std::vector<std::string> play(const std::string& lesson);
    /// What a sheet for teachers is made of is noted down while it plays.
    void note_in(LessonSheet& sheet) { sheet_ = &sheet; }
    /// The fresh model that is open, untrained, from a seed.
    void begin_again(std::uint64_t seed);
    /// Trains the fresh model that is open, as it is planned, from a seed.
    void train(std::uint64_t seed);
    /// Until all that was asked for is on screen and still.
    void settle();
    /// Begins a lesson at a step (from 1). Throws Error where it does not: its model is not here, or cannot be made.
    void begin(const std::string& lesson, int step = 1);
    /// Until the scene of a lesson's step is on screen too. Throws Error saying why it does not come.
    void wait_for_scene();

private:
    /// Something that is wrong with the lesson, and in which line of its file.
    struct Told {
        int line = 0;
        std::string what;
    };
    std::vector<Told> told() const;
    std::string told_of(const std::string& field) const;
    void report_told();
    void report_trained_models();
    bool cannot_come() const;
    std::string why_no_scene() const;
    Error why_not_begun(const std::string& name) const;
    void play_steps();
    void look(bool after);
    void look_at_claim(const Condition& claim, bool once_done);
    void do_what_is_asked(const Scene& scene);
    std::string play_script(const std::string& script);
    void answer();
    void report(int line, const std::string& what);
    void report_at(int step, int line, const std::string& what);  ///< of another step than that on screen

    App& app_;
    Session& session_;
    const Items& items_;
    DrawFrame frame_;
    LessonSight sight_;
    std::vector<std::string> found_, not_there_;
    LessonSheet* sheet_ = nullptr;
    std::uint64_t errors_ = 0;  // of the worker, when the last scene was on screen
    int asked_step_ = 1;        // at which the lesson was to begin
};

/// What a step's scene on screen asks for and its model does not have, each with its field: "A: the model does not know
/// \"dragon\"". The window shows something else there without a word; an author has to know.
std::vector<std::string> not_of_model(const LessonStep& step, const Scene& scene, const Snapshot& snapshot,
                                      const ViewState& state);

/// A file, or one of the program's lessons by the name of its file: in the chosen language, where there is such a file.
/// Throws Error where there is neither.
std::filesystem::path lesson_file(const std::string& name);

/// One of the program's, by a name that somebody else gave: nothing else on this machine is read.
std::filesystem::path shipped_lesson_file(const std::string& name);

/// The first model of a lesson: shipped, or untrained where it is to be trained from a seed; `model` where that is
/// given. Throws Error where a lesson that is to be trained for names no model.
Session::Options session_for(const Lesson& lesson, bool untrained, const std::string& model = {});

}  // namespace glassformer::app
