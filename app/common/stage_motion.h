#pragma once

#include <vector>

#include "app/common/frame.h"

/// The animation when the explanation moves to another stage: ghosts of the numbers that the new one is computed from
/// glide from their old places to the new number, and fade.
namespace glassformer::app {

/// The highlight of the stage strip, moving from one stage to the next.
struct StageGlide {
    int node = -1;  // of the target stage; −1 before the first
    Box from, to;
    double ends = 0;  // ImGui time, in seconds
};

/// Where traced numbers were drawn, and the moving ghosts. With reduced motion, nothing moves and nothing is recorded.
class StageMotion {
public:
    static constexpr double seconds = 0.36;
    static constexpr std::size_t most_ghosts = 24;

    /// A moving number.
    struct Ghost {
        ImVec2 from, to;  // centres
        ImVec2 size;      // at the beginning
        ImU32 colour;
        Box from_panel, to_panel;  // visible only in these; it passes behind what is between
    };

    /// Records where a view has drawn a number in this frame.
    void note(const Ui& ui, const TracedCell& cell, const Box& box);
    /// The explanation moves to another stage in this frame.
    void step() { stepped_ = true; }
    /// Call at the end of a frame: starts the ghosts, and draws them over everything. A key or a click ends them.
    void draw(const Frame& frame);
    /// Whether the next frame should be drawn without waiting for input.
    bool moving() const;
    const std::vector<Ghost>& ghosts() const { return ghosts_; }

private:
    struct Place : Box {
        TracedCell cell;
        Box panel;  // its clip rectangle
    };
    enum class Wait { nothing, result };  // the step was made; its result is on screen in the next frame

    const Place* find(const std::vector<Place>& places, const TracedCell& cell) const;
    void send_off(const Frame& frame);
    void draw_ghosts(const Ui& ui) const;

    std::vector<Place> now_, before_, start_;  // of this frame, of the last one, and of the one before the step
    std::vector<Ghost> ghosts_;
    Wait wait_ = Wait::nothing;
    bool stepped_ = false;
    double ends_ = 0;  // ImGui time, in seconds
};

/// Records where a cell is drawn, for the animation of a step.
void note_place(const Frame& frame, int slot, const Cell& cell, const Box& box);

}  // namespace glassformer::app
