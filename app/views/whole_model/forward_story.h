#pragma once

#include <string>
#include <vector>

#include "app/common/frame.h"
#include "app/views/whole_model/canvas_layout.h"

/// The forward pass as a story: which rows of the canvas are computed when.
namespace glassformer::app::views::whole_model {

/// Rows that are explained together.
struct StoryStage {
    enum class Kind { words, rows, said };
    Kind kind = Kind::rows;
    int first_row = 0, end_row = 0;  ///< of CanvasLayout::rows, half open
};

/// All stages, from the words to the predictions.
std::vector<StoryStage> story_stages(const CanvasLayout& layout);

/// The state of the story.
struct ForwardStory {
    bool open = false, playing = false;
    float at = 0;         ///< number of stages explained, plus the share of the current one
    int speed = 1;        ///< index into story_speeds
    int stage_count = 0;  ///< of the model on screen
    int asked = 0;        ///< by keyboard: play or pause (1), next stage (2), previous stage (3)
    bool filmed = false;  ///< its line shows only the caption, without controls

    void play_or_pause(int stages);
    /// Shows all of the next stage (1) or of the previous one (−1), and pauses.
    void step(int by, int stages);
    void advance(float seconds, int stages);

    /// The current stage.
    int stage(int stages) const;
    /// How much of a row is visible, 0 … 1; 1 without a story.
    float shown(const std::vector<StoryStage>& stages, int row) const;
    /// The same for the predictions.
    float said(const std::vector<StoryStage>& stages) const;
};

inline constexpr float story_speeds[] = {0.5f, 1, 2};
/// Seconds per stage: about half a minute for a small model, and never too short to read.
float story_seconds(int stages);

/// Number of frames in a film of the story, and frames per second.
int story_pictures(int stages);
inline constexpr double story_pictures_a_second = 10;

/// Asks for a folder to save these frames in.
void ask_where_to_film_forward(ViewState& state);

}  // namespace glassformer::app::views::whole_model
