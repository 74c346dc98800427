#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "app/common/frame.h"

/// The panels of the window, each in a folder beside this file. Each draws inside its box.
namespace glassformer::app {

void draw_top_bar(const Frame& frame, const Box& box);    // top_bar.cpp
void draw_model_map(const Frame& frame, const Box& box);  // model_map.cpp: laid out from the graph
/// Opens the number of the stage after (1) or before (−1) the one that is explained, from the words through every block
/// to what comes out; after the last comes the first.
void step_stage(const Frame& frame, int step);
/// A stage of the strip: what stands on it, its meaning (a title and, after a line break, a sentence), and its place on
/// the way from the words to the probabilities.
struct NamedStage {
    std::string label;
    std::string_view meaning;
    int place = 0;
};
/// The stages of the chosen block and those outside of the blocks; none without a trace.
std::vector<NamedStage> stages_here(const Frame& frame);
/// Opens the number of the stage at that place for the chosen word.
void open_stage(const Frame& frame, int place);
void draw_stage_strip(const Frame& frame, const Box& box);     // stage_strip.cpp: headline and stages
void draw_explanation(const Frame& frame, const Box& box);     // explanation_view.cpp: where does this number come from
void draw_sense_accuracy(const Frame& frame, const Box& box);  // sense_accuracy_view.cpp
void draw_meaning_map(const Frame& frame, const Box& box);     // meaning_map_view.cpp: every "bat" in the corpus
void draw_word_meaning(const Frame& frame,
                       const Box& box);  // word_meaning_view.cpp: nearest words, masked-place predictions
void draw_timeline(const Frame& frame, const Box& box);  // timeline_view.cpp: curves, travel, training controls

}  // namespace glassformer::app
