#pragma once

#include <string>
#include <vector>

#include "app/common/frame.h"
#include "app/views/whole_model/canvas_layout.h"

/// The forward pass as a story: which rows of the canvas are computed when.
namespace glassformer::app::views::whole_model {

/// Some rows that are explained together.
struct StoryStage {
    enum class Kind { words, rows, said };
    Kind kind = Kind::rows;
    int first_row = 0, end_row = 0;  ///< of CanvasLayout::rows, half open
};

/// From the words to what is said.
std::vector<StoryStage> story_stages(const CanvasLayout& layout);

/// Where the story is.
struct ForwardStory {
    bool open = false, playing = false;
    float at = 0;         ///< stages that are explained, and the share of the one that is being explained
    int speed = 1;        ///< index into story_speeds
    int stage_count = 0;  ///< there are, in the model on screen
    int asked = 0;        ///< by keyboard: play or pause (1), a stage forward (2), back (3)
    bool filmed = false;  ///< its line shows the sentence alone

    void play_or_pause(int stages);
    /// All of the next stage, or of the one before.
    void step(int by, int stages);
    void advance(float seconds, int stages);

    /// The stage that is being told.
    int stage(int stages) const;
    /// How much of a row is there: 1 without a story.
    float shown(const std::vector<StoryStage>& stages, int row) const;
    /// The same of the words' prediction.
    float said(const std::vector<StoryStage>& stages) const;
};

inline constexpr float story_speeds[] = {0.5f, 1, 2};
/// Seconds for one stage: about half a minute for a small model, and never too short to read.
float story_seconds(int stages);

/// Pictures of a film of it, and how many are a second of it.
int story_pictures(int stages);
inline constexpr double story_pictures_a_second = 10;

/// Asks for a folder to save such pictures in.
void ask_where_to_film_forward(ViewState& state);

}  // namespace glassformer::app::views::whole_model
