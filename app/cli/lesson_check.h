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

/// What a teacher needs of a lesson on one page: its question, its time, each step's text with the numbers that will be
/// seen, the teacher's notes, the questions with their answers, what goes wrong, and exercises. Taken from the lesson
/// as it is played, so that it always agrees with the screen.
class LessonSheet {
public:
    /// Adds the step on screen, before or after its guess.
    void add(const LessonRunner& lessons, const Snapshot& shown);
    /// A self-contained HTML page.
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

/// Records what was in sight on a lesson's screens, to find an answer that was there before it was asked for. An answer
/// is what the choices compare, as a number or printed in the lesson's text, what the answer points at, and the words
/// in which the right choice differs from the others. Items that are covered, scrolled away or under the lesson's text
/// are not in sight.
class LessonSight {
public:
    explicit LessonSight(const Items& items) : items_(items) {}

    void begin() { screens_.clear(); }
    /// Adds the step's screen as it is now.
    void add(const LessonRunner& lessons);
    /// Call once a question is answered and its answer is on screen. Returns a sentence for each place where that was
    /// in sight before.
    std::vector<std::string> told_early(const LessonRunner& lessons, const Snapshot& shown) const;
    /// What the step highlights that is on the page, but scrolled away or below something.
    std::vector<std::string> lights_out_of_sight(const LessonRunner& lessons) const;
    /// True if anything that the step highlights is on the screen.
    bool points_at_something(const LessonRunner& lessons) const;

private:
    bool is_on_screen(const Item& item) const;  ///< it may be covered
    bool in_sight(const Item& item) const;
    bool is_told(const Items::DrawnText& text) const;  ///< the lesson's own text, and no number of a model

    struct Seen {
        std::string label, text;
        std::optional<double> value;
    };
    /// What is highlighted: an item, or several in one frame.
    struct Light {
        std::string labels;
        std::vector<std::string> numbers;  ///< labels of the numbers in it: its own, and those of a picture
    };
    struct Screen {
        int step = 0;
        std::string title;
        std::vector<Seen> items;
        std::vector<std::string> texts;  ///< the lesson's, as its author wrote them; no choices
        std::vector<Light> lights;       ///< what it highlights
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

/// Plays a lesson like a student who sees every step, guesses wrong and does what the text asks for. Collects what is
/// wrong with it on the open model: a question without exactly one right choice, a text that is false or does not fit
/// its box, an answer in sight before the guess, missing items and numbers.
class LessonCheck {
public:
    /// Draws one frame of the app, with this input.
    using DrawFrame = std::function<void(const std::function<void()>& input)>;
    /// `items` are the app's.
    LessonCheck(App& app, Session& session, Items& items, DrawFrame frame);

    /// Returns the problems, "try:12: step 3: …", in the order of the steps; empty if all is well. Ends at a step that
    /// never comes on screen. Throws Error if there is no such lesson, or it does not begin.
    std::vector<std::string> play(const std::string& lesson);
    /// Also fills a sheet for teachers, which must outlive this, while it plays.
    void note_in(LessonSheet& sheet) { sheet_ = &sheet; }
    /// Resets the open fresh model, untrained, with a seed.
    void begin_again(std::uint64_t seed);
    /// Trains the open fresh model as planned, from a seed.
    void train(std::uint64_t seed);
    /// Waits until all requests are on screen and nothing changes.
    void settle();
    /// Begins a lesson at a step (from 1). Throws Error if it does not begin: its model is not here, or cannot be made.
    void begin(const std::string& lesson, int step = 1);
    /// Like settle(), and waits for the scene of a lesson's step. Throws Error saying why it does not come.
    void wait_for_scene();

private:
    /// Something wrong with the lesson, and its line in the file.
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
    void report_at(int step, int line, const std::string& what);  ///< for a step that is not on screen

    App& app_;
    Session& session_;
    const Items& items_;
    DrawFrame frame_;
    LessonSight sight_;
    std::vector<std::string> found_, not_there_;
    LessonSheet* sheet_ = nullptr;
    std::uint64_t errors_ = 0;  // the worker's, when the last scene was on screen
    int asked_step_ = 1;        // step at which the lesson was to begin
};

/// What the scene on screen asks for but its model lacks, each with its field: "A: the model does not know \"dragon\"".
/// The window silently shows something else there; an author has to know.
std::vector<std::string> not_of_model(const LessonStep& step, const Scene& scene, const Snapshot& snapshot,
                                      const ViewState& state);

/// A file, or a shipped lesson by the name of its file, in the chosen language if there is such a file. Throws Error if
/// there is neither.
std::filesystem::path lesson_file(const std::string& name);

/// A shipped lesson, by a name that somebody else gave: nothing else on this machine is read. Throws Error if there is
/// none.
std::filesystem::path shipped_lesson_file(const std::string& name);

/// Options for a lesson's first model: `model` if given, else the shipped one, or with `untrained` a new one to train
/// from a seed. Throws Error if that is wanted and the lesson names no model.
Session::Options session_for(const Lesson& lesson, bool untrained, const std::string& model = {});

}  // namespace glassformer::app
