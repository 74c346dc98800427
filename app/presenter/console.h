#pragma once

#include <string>
#include <string_view>

#include "app/lessons/lesson_runner.h"
#include "app/lessons/lesson_values.h"
#include "app/presenter/screen_tools.h"
#include "app/presenter/vote.h"

namespace glassformer::app {

/// What the audience sees, small, or, while it sees black or a frozen picture, what it would see without; no picture in
/// a drawer beside it.
struct StagePicture {
    ImTextureID texture = {};
    ImVec2 size{0, 0};  ///< of the screen
};

/// What the lecturer sees: notes of the step, what comes next, the time, the votes, and buttons for a clicker's keys.
/// Draws in one column, or in two where there is room.
class Console {
public:
    enum class Ask { nothing, back, next, blank, freeze, vote, phones };
    struct Shown {
        const LessonRunner& lessons;
        const Vote& vote;
        const ScreenTools& tools;
        std::string_view next_panel;  ///< without a lesson
        StagePicture stage;
    };

    /// Every frame of the audience's screen: its clock goes on, and starts over with another lesson. The notes are read
    /// with the numbers on screen.
    void follow(const Frame& frame, const LessonRunner& lessons);
    /// Items: "console", "console/clock" and "console/left" (value: seconds), "console/restart", "console/next" and the
    /// other buttons, "console/step" (value: from 1), "console/notes", "console/note N" (its numbers), "console/then",
    /// "console/vote/A" (value: hands), "console/stage", "console/covered" (while the audience sees something else).
    Ask draw(const Frame& frame, const Box& box, const Shown& shown);

private:
    double elapsed() const { return now_ - begun_; }
    float draw_clock(const Frame& frame, const Box& row, const Lesson* lesson);
    float draw_buttons(const Frame& frame, const Box& box, const Shown& shown, Ask& ask) const;
    float draw_reading(const Frame& frame, const Box& box, const Shown& shown) const;
    float reading_height(const Frame& frame, float width, const Shown& shown) const;
    void draw_stage(const Frame& frame, const Box& box, const Shown& shown) const;

    double now_ = 0, begun_ = -1;
    std::string lesson_;
    ShownText notes_;
    bool noted_ = false;  // this step has notes
};

}  // namespace glassformer::app
