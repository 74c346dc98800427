#pragma once

#include <vector>

#include "app/common/frame.h"

/// What moves when the explanation goes a stage further: ghosts of the numbers that the new one is made of glide from
/// where they were on screen to where the new one stands, and fade.
namespace glassformer::app {

/// The highlight of the stage strip on its way from one stage to the next.
struct StageGlide {
    int node = -1;  // of the stage that it goes to; −1 before the first
    Box from, to;
    double ends = 0;  // in ImGui's seconds
};

/// Where the traced numbers stood in a frame, and the ghosts on their way. Nothing moves and nothing is remembered
/// where motion is reduced.
class StageMotion {
public:
    static constexpr double seconds = 0.36;
    static constexpr std::size_t most_ghosts = 24;

    /// A number on its way.
    struct Ghost {
        ImVec2 from, to;  // centres
        ImVec2 size;      // at the beginning
        ImU32 colour;
        Box from_panel, to_panel;  // it is seen in these alone, and passes behind what is between
    };

    /// A view has drawn a number there in this frame.
    void note(const Ui& ui, const TracedCell& cell, const Box& box);
    /// The explanation goes to another stage in this frame.
    void step() { stepped_ = true; }
    /// At the end of a frame, over everything: sends the ghosts off, and draws them. A key or a click ends them.
    void draw(const Frame& frame);
    /// Whether the next frame should be drawn without waiting for input.
    bool moving() const;
    const std::vector<Ghost>& ghosts() const { return ghosts_; }

private:
    struct Place : Box {
        TracedCell cell;
        Box panel;  // that it was clipped to
    };
    enum class Wait { nothing, result };  // the step was made; its result is on screen in the next frame

    const Place* find(const std::vector<Place>& places, const TracedCell& cell) const;
    void send_off(const Frame& frame);
    void draw_ghosts(const Ui& ui) const;

    std::vector<Place> now_, before_, start_;  // of this frame, of the one before, of the one before the step
    std::vector<Ghost> ghosts_;
    Wait wait_ = Wait::nothing;
    bool stepped_ = false;
    double ends_ = 0;  // in ImGui's seconds
};

/// Notes where a cell is drawn, for the motion of a step.
void note_place(const Frame& frame, int slot, const Cell& cell, const Box& box);

}  // namespace glassformer::app
