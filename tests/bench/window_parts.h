#pragma once

#include "tests/bench/bench.h"

/// The measurements that need the window's code.
namespace glassformer::app::bench {

/// GPT-2's smallest size with 512 and 1,024 tokens: the time to trace them, to look at another head and another word,
/// and to summarise all heads; and the peak resident memory so far.
nlohmann::json large(CpuBackend& backend);
/// The time from nothing to the first picture, and the CPU time of building one frame: of every view, idle, and while
/// training. An object with a "note" without OpenGL.
nlohmann::json frames(const std::string& model, int threads);
/// The time to build frames of every view with a model of 12 × 12 heads and random weights on 512 and 1,024 tokens, and
/// from the choice of a head to its picture. An array, one object per length. An object with a "note" without OpenGL.
nlohmann::json large_frames(int threads);
/// The view Whole model at 1600 × 1000 with random weights on 512 tokens, for 12 × 12 and 24 × 16 heads: the time to
/// build a frame and to build and draw it, at rest and while the camera moves. An array, one object per model. An
/// object with a "note" without OpenGL.
nlohmann::json canvas_frames(int threads);
/// Steps per second of one training, in turns: alone, in the window with frames only laid out, and with frames drawn;
/// and the last two as shares of the first. Like the next two, an object with a "note" without OpenGL.
nlohmann::json training_beside_window(int threads);
/// The time from the choice of a kept step to the frame that shows it in every panel; also while training.
nlohmann::json scrubbing(const std::string& model, int threads);
/// A model from elsewhere: opening it, reading a prompt of up to 512 tokens, generating at temperature 0, checking it,
/// and probing its layers for the homonyms where its tokenizer allows it.
nlohmann::json opened(const std::string& model, int threads);
/// Trains the world induction from scratch in the window: seconds until the first flag of a head and of the metric.
nlohmann::json phase_change(int threads);
/// Trains in the window for `minutes`: the resident memory after each minute in MB, and the drift between the least and
/// the largest after warming up.
nlohmann::json flat_memory(int threads, int minutes);

}  // namespace glassformer::app::bench
