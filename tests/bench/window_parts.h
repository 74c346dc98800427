#pragma once

#include "tests/bench/bench.h"

/// What is measured with the window behind it.
namespace glassformer::app::bench {

/// That model with 512 and 1,024 tokens: the time to trace them, to look at another head and at another word, and to
/// make the pictures of all heads; and the largest resident memory by then.
nlohmann::json large(CpuBackend& backend);
/// From nothing to the first picture, and the processor time of building one frame: of every view, idle, and while
/// training. Empty object with a "note" where there is no OpenGL.
nlohmann::json frames(const std::string& model, int threads);
/// Building frames of every view with a model of 12 × 12 heads and random weights on 512 and on 1,024 tokens, and the
/// time from the choice of a head to its picture: an array, one object a length. Object with a "note" where there is no
/// OpenGL.
nlohmann::json large_frames(int threads);
/// The view Whole model at 1600 × 1000 with random weights on 512 tokens, for 12 × 12 and 24 × 16 heads: building a
/// frame and the whole of it (built and drawn), at rest and while the camera moves; an array, one object a model.
/// Object with a "note" where there is no OpenGL.
nlohmann::json canvas_frames(int threads);
/// Steps a second of one training: by itself, in the window while the frames are laid out, and while they are drawn
/// too; turn by turn, with the shares of the first. Object with a "note" where there is no OpenGL, as the next two.
nlohmann::json training_beside_window(int threads);
/// From the choice of a kept step to the frame that shows it in every panel; while training as well.
nlohmann::json scrubbing(const std::string& model, int threads);
/// A model from elsewhere: opening it, reading a prompt of 512 words, writing word by word with temperature 0,
/// checking it, and what its layers make of the homonyms, where it can be asked.
nlohmann::json opened(const std::string& model, int threads);
/// The world of induction from nothing, in the window: seconds to the first flag of a head and of the metric.
nlohmann::json phase_change(int threads);
/// So many minutes of training in the window: the resident memory after each, in MB, and how far apart the least and
/// the largest are after the first few.
nlohmann::json flat_memory(int threads, int minutes);

}  // namespace glassformer::app::bench
