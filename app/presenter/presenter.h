#pragma once

#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "app/common/frame.h"
#include "app/lessons/lesson_runner.h"
#include "app/lessons/lesson_values.h"
#include "app/presenter/screen_tools.h"
#include "app/presenter/vote.h"

namespace glassformer::app {

/// A small picture of what the audience sees. While the audience sees black or a frozen picture, it is what they would
/// see otherwise. No picture if the console is a drawer beside the stage.
struct StagePicture {
    ImTextureID texture = {};
    ImVec2 size{0, 0};  ///< of the screen
};

/// What the lecturer sees: notes of the step, what comes next, the time, the votes, and buttons for a clicker's keys.
/// Draws in one column, or in two if there is room.
class Console {
public:
    enum class Ask { nothing, back, next, blank, freeze, vote, phones };
    struct Shown {
        const LessonRunner& lessons;
        const Vote& vote;
        const ScreenTools& tools;
        std::string_view next_panel;  ///< used without a lesson
        StagePicture stage;
    };

    /// Call this in every frame of the audience's screen: advances the clock, which restarts with another lesson, and
    /// reads the notes with the numbers on screen.
    void follow(const Frame& frame, const LessonRunner& lessons);
    /// Draws the console. Items: "console", "console/clock" and "console/left" (value: seconds), "console/restart",
    /// "console/next" and the other buttons, "console/step" (value: from 1), "console/notes", "console/note N" (its
    /// numbers), "console/then", "console/vote/A" (value: votes, from hands and phones), "console/stage",
    /// "console/covered" (while the audience sees something else).
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
    bool noted_ = false;  // the current step has notes
};

enum class Edge { top, left, right, bottom };

/// A panel that waits outside of the screen and slides in when the pointer touches its edge. It leaves when the pointer
/// has left it, unless one of its lists is open. The edge is the item "edge/<name>".
class EdgeBar {
public:
    EdgeBar(Edge edge, const char* name) : edge_(edge), name_(name) {}

    /// `extent`: how far it reaches in, in pixels. `held`: it stays in. `wanted`: the pointer may call it.
    void draw(const Frame& frame, const Box& screen, float extent, bool held, bool wanted,
              const std::function<void(const Box&)>& content);
    /// Sends it away, even if the pointer is on it.
    void dismiss() { dismissed_ = true; }
    bool moving() const { return moving_; }
    /// Returns how much of it is in: 0 to 1.
    float shown() const { return shown_; }

private:
    Box place(const Box& screen, float extent, float shown) const;
    Box strip(const Ui& ui, const Box& screen) const;
    void move(const Ui& ui, bool in);

    Edge edge_;
    const char* name_;
    float shown_ = 0;
    bool moving_ = false, dismissed_ = false;
};

/// A panel that fills the presenter's screen: a view of the sentences, or one of the panels around them.
struct AudiencePanel {
    std::string_view name;
    int view = -1;                    // index into all_views(); −1: none
    std::optional<Panel> panel = {};  // if it is not a view
};

/// The screen for an audience (F5, F11): one panel fills it, in text that is readable from the last row. Top bar, map,
/// explanation and timeline slide in from their edges. Its keys are those of presentation programs.
class Presenter {
public:
    /// Returns the scale, in real pixels per pixel at 100 %: the smallest text is as high as a fortieth of the screen,
    /// so that it is readable from the last row. The lecturer may choose another scale.
    static float scale(const ViewState& state, ImVec2 screen);

    /// Call this before all other key handlers; returns true if it handled a key, which then has no other meaning.
    bool handle_keys(const Frame& frame, LessonRunner& lessons);

    /// Draws the screen in place of the panels. `other` draws a panel that is not a view, as a narrow window does.
    /// Items: "panel" (value: its index, from 0), "panel/box", "edge/top" and the other edges.
    /// Returns the box of the panel and its heading: all of `stage`, minus the console's drawer.
    Box draw(const Frame& frame, const Box& stage, LessonRunner& lessons,
             void (*other)(const Frame& frame, const Box& box));
    /// Draws the lecturer's console in its own window; `stage`: what the audience sees.
    void draw_console(const Frame& frame, const Box& window, LessonRunner& lessons, const StagePicture& stage);
    /// Returns the picture of what is drawn while the audience sees black or a frozen picture; null while they see it
    /// directly.
    HeldPicture* behind_cover() { return on_ && tools_.covers() ? &tools_.behind() : nullptr; }
    /// Draws, over everything, what was done to the screen as a whole.
    void draw_tools(const Frame& frame, const Box& screen);
    /// Returns true if a vote covers the panel, and with it what a lesson points at there.
    bool voting() const { return vote_.open(); }
    /// Returns true if phones voted since the last call.
    bool phones_voted() { return vote_.phones().changed(); }
    bool moving() const { return top_.moving() || left_.moving() || right_.moving() || bottom_.moving(); }

private:
    void enter(const Frame& frame, const LessonRunner& lessons);
    /// Goes a page forward or back: in a vote or a lesson, or to another panel.
    void turn(const Frame& frame, LessonRunner& lessons, int by);
    bool turn_pages(const Frame& frame, const LessonRunner& lessons);
    /// Makes room for the console if it is a drawer; returns the rest.
    Box draw_drawer(const Frame& frame, const Box& stage, LessonRunner& lessons);
    bool switch_tools(const Frame& frame);
    bool put_away(const Frame& frame);
    bool back_to_this_step(const Frame& frame, const LessonRunner& lessons);
    void choose(const Frame& frame, const std::vector<AudiencePanel>& panels, int index);
    void follow_choice(const Frame& frame, const LessonRunner& lessons);
    float draw_heading(const Frame& frame, const Box& stage, bool low);
    void draw_bars(const Frame& frame, const Box& stage, const LessonRunner& lessons);

    bool on_ = false;
    std::vector<AudiencePanel> panels_;
    int shown_ = 0;                           // index into panels_
    Panel narrow_panel_ = Panel::sentence_a;  // as this class left it
    bool explanation_ = false;                // a number was clicked: its explanation stays in
    bool of_step_ = false;                    // or a lesson's step explains one
    int scene_ = 0;                           // of the lesson, as counted by LessonRunner
    EdgeBar top_{Edge::top, "top"}, left_{Edge::left, "left"}, right_{Edge::right, "right"},
        bottom_{Edge::bottom, "bottom"};
    Pen pen_;
    ScreenTools tools_;
    Vote vote_;
    Console console_;
};

}  // namespace glassformer::app
