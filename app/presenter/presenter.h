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

enum class Edge { top, left, right, bottom };

/// A panel that waits outside of the screen and slides in over it when the pointer touches its edge. It goes when the
/// pointer has left it, unless one of its lists is open. The edge is the item "edge/<name>".
class EdgeBar {
public:
    EdgeBar(Edge edge, const char* name) : edge_(edge), name_(name) {}

    /// `extent`: how far it reaches in, in pixels. `held`: it stays in. `wanted`: whether the pointer may call it.
    void draw(const Frame& frame, const Box& screen, float extent, bool held, bool wanted,
              const std::function<void(const Box&)>& content);
    /// Sends it away, even from under the pointer.
    void dismiss() { dismissed_ = true; }
    bool moving() const { return moving_; }
    /// How much of it is in: 0 to 1.
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

/// Something that fills the presenter's screen: a view of the sentences, or a panel from around them.
struct AudiencePanel {
    std::string_view name;
    int view = -1;                    // of all_views(); −1: none
    std::optional<Panel> panel = {};  // where it is no view
};

/// The screen for an audience (F5, F11): one panel fills it, in text that can be read from the last row. Top bar, map,
/// explanation and timeline slide in from their edges. Its keys are those of presentation programs.
class Presenter {
public:
    /// The size of text, in real pixels: the smallest is as high as a fortieth of the screen, so that it can be read
    /// from the last row; the lecturer may choose another.
    static float scale(const ViewState& state, ImVec2 screen);

    /// Before all other keys; true when one of its keys went down, which then means nothing else.
    bool handle_keys(const Frame& frame, LessonRunner& lessons);

    /// In place of the panels. `other` draws one that is no view, as a narrow window shows it. Items: "panel" (value:
    /// which, from 0), "panel/box", "edge/top" and the other edges.
    /// Returns where the panel and its heading are: all of `stage`, less the console's drawer.
    Box draw(const Frame& frame, const Box& stage, LessonRunner& lessons,
             void (*other)(const Frame& frame, const Box& box));
    /// The lecturer's console, in a window of its own; `stage`: what the audience sees.
    void draw_console(const Frame& frame, const Box& window, LessonRunner& lessons, const StagePicture& stage);
    /// What is drawn while the audience sees black or a frozen picture; null while it sees what is drawn.
    HeldPicture* behind_cover() { return on_ && tools_.covers() ? &tools_.behind() : nullptr; }
    /// Over everything: what was done to the screen as a whole.
    void draw_tools(const Frame& frame, const Box& screen);
    /// A vote covers the panel, and what a lesson points at there.
    bool voting() const { return vote_.open(); }
    /// Phones voted since this was asked last.
    bool phones_voted() { return vote_.phones().changed(); }
    bool moving() const { return top_.moving() || left_.moving() || right_.moving() || bottom_.moving(); }

private:
    void enter(const Frame& frame, const LessonRunner& lessons);
    /// A page forward or back: of a vote, of a lesson, or to the next panel.
    void turn(const Frame& frame, LessonRunner& lessons, int by);
    bool turn_pages(const Frame& frame, const LessonRunner& lessons);
    /// Makes room for the console where it is a drawer; returns what is left.
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
    int shown_ = 0;                           // of panels_
    Panel narrow_panel_ = Panel::sentence_a;  // as this class has left it
    bool explanation_ = false;                // a number was clicked: its explanation stays in
    bool of_step_ = false;                    // or a lesson's step explains one
    int scene_ = 0;                           // of the lesson, as LessonRunner counts them
    EdgeBar top_{Edge::top, "top"}, left_{Edge::left, "left"}, right_{Edge::right, "right"},
        bottom_{Edge::bottom, "bottom"};
    Pen pen_;
    ScreenTools tools_;
    Vote vote_;
    Console console_;
};

}  // namespace glassformer::app
