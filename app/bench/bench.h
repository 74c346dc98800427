#pragma once

#include <chrono>
#include <nlohmann/json.hpp>
#include <span>
#include <string>
#include <vector>

#include "core/backend/cpu/cpu_backend.h"
#include "core/backend/gl/gl_backend.h"
#include "core/nn/config.h"

/// The measurements of `glassformer bench`, one kind a file. Each returns a JSON object; times are in milliseconds.
namespace glassformer::app::bench {

using Clock = std::chrono::steady_clock;
double elapsed_ms(Clock::time_point start);

/// Order statistics of repeated timings.
struct Times {
    std::vector<double> ms;
    double quantile(double q) const;
    double median() const { return quantile(0.5); }
};

/// GFLOP/s of large matrix products on all the threads at once: what this machine's kernels can reach.
double measured_peak(CpuBackend& backend);

/// A training step's size: the models that are compared with PyTorch (tests/bench/compare_torch.py has the same table).
struct Size {
    const char* name;
    int batch, positions, d_model, n_layers, n_heads, d_vocab, repeats;

    TransformerConfig config() const;
    /// Floating-point operations of a step: 6 per parameter and token for the matrix products, and 12·L·B·T²·d for
    /// attention.
    double gflop(std::int64_t parameters) const;
};
std::span<const Size> training_sizes();
std::vector<float> random_tokens(const Size& size);

/// One training step (forward, backward, clip, AdamW) at the four sizes, against the peak.
nlohmann::json training_steps(CpuBackend& backend, double peak_gflops);
/// The time of a dispatch, matrix products, the same training steps and attention over long sentences with OpenGL:
/// those of "dispatch", "products", "training" and "attention" that `parts` names, or all. A software renderer gets the
/// small sizes alone, unless all are asked for (`full`: the large ones once each, each told on the standard error).
/// Where memory is too small for a size, its object has a "note" instead of figures.
nlohmann::json open_gl(GlBackend& gl, std::span<const std::string> parts, bool full);
/// Drawing the patterns of 144 heads on 512 tokens from where the backend's shaders left them, in its context. Object
/// with a "note" where that is not possible.
nlohmann::json heat_maps(GlBackend& gl);
/// The forward pass of one sentence with and without keeping every value.
nlohmann::json tracing(CpuBackend& backend);
/// GPT-2's smallest size (124 M parameters).
TransformerConfig gpt2_small();
/// That model with 512 and 1,024 tokens: the time to trace them, to look at another head and at another word, and to
/// make the pictures of all heads; and the largest resident memory by then.
nlohmann::json large(CpuBackend& backend);
/// A model of GPT-2's smallest size with random weights: the pass over 128 tokens alone and with every value kept, and
/// one more word with kept keys and values.
nlohmann::json gpt2_shaped(CpuBackend& backend);
/// Models of published shapes with random weights in bfloat16, in a temporary folder of up to 1.2 GB: seconds to open
/// them, what they take of memory beside the file, and words a second with kept keys and values; an array.
nlohmann::json published(CpuBackend& backend);
/// Time of attention and of the MLP of one layer against the length of the sentence, with the slopes of the logarithms.
nlohmann::json scaling(CpuBackend& backend);
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
/// The world of induction from nothing, in the window: seconds to the first flag of a head and of the metric.
nlohmann::json phase_change(int threads);
/// So many minutes of training in the window: the resident memory after each, in MB, and how far apart the least and
/// the largest are after the first few.
nlohmann::json flat_memory(int threads, int minutes);

}  // namespace glassformer::app::bench
