#pragma once

#include <functional>
#include <string>
#include <vector>

#include "app/cli/lesson_sheet.h"
#include "app/cli/lesson_sight.h"
#include "app/common/view_state.h"
#include "app/desktop/app.h"
#include "app/lessons/lesson.h"
#include "core/base/error.h"

namespace glassformer::app {

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

}  // namespace glassformer::app
