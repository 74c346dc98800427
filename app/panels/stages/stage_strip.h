#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "app/common/frame.h"

namespace glassformer::app {

/// The headline and the stages of the chosen block.
void draw_stage_strip(const Frame& frame, const Box& box);
/// Opens the number of the stage after (1) or before (−1) the one that is explained, from the words through every block
/// to what comes out; after the last comes the first.
void step_stage(const Frame& frame, int step);
/// A stage of the strip: what is on it, its meaning (a title and, after a line break, a sentence), and its place on
/// the way from the words to the probabilities.
struct NamedStage {
    std::string label;
    std::string name, shown;  // in English, and in the language of the screen
    int place = 0;
};
/// The stages of the chosen block and those outside of the blocks; none without a trace.
std::vector<NamedStage> stages_here(const Frame& frame);
/// Opens the number of the stage at that place for the chosen word.
void open_stage(const Frame& frame, int place);

}  // namespace glassformer::app
