#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "app/common/frame.h"

namespace glassformer::app {

/// Draws the headline and the stages of the chosen block.
void draw_stage_strip(const Frame& frame, const Box& box);
/// Opens the number of the stage after (1) or before (−1) the explained one, along the way from the words through every
/// block to the output. Wraps around at both ends.
void step_stage(const Frame& frame, int step);
/// A stage of the strip: its label, its meaning (a title and, after a line break, a sentence), and its place on the way
/// from the words to the probabilities.
struct NamedStage {
    std::string label;
    std::string name, shown;  // in English, and in the display language
    int place = 0;
};
/// Returns the stages of the chosen block and those outside of the blocks; empty without a trace.
std::vector<NamedStage> stages_here(const Frame& frame);
/// Opens the number of the stage at that place for the chosen word.
void open_stage(const Frame& frame, int place);

}  // namespace glassformer::app
