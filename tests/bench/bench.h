#pragma once

#include <chrono>
#include <functional>
#include <nlohmann/json.hpp>
#include <span>
#include <string>
#include <vector>

#include "core/backend/cpu/cpu_backend.h"
#include "core/backend/gl/gl_backend.h"
#include "core/nn/config.h"

/// The measurements of the program `bench`, one kind a file. Each returns a JSON object; times are in milliseconds.
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
/// One of a model of GPT-2's size, on 4 texts of 64 words.
nlohmann::json gpt2_step(CpuBackend& backend);
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
/// A model of GPT-2's smallest size with random weights: the pass over 128 tokens alone and with every value kept, and
/// one more word with kept keys and values.
nlohmann::json gpt2_shaped(CpuBackend& backend);
/// The part of each of 20 words in an answer (core/analysis/word_parts.h), of a model of the shape of the shipped
/// homonyms and of GPT-2's smallest size: until every word was left out once, and until all is told.
nlohmann::json word_parts(CpuBackend& backend);
/// Models of published shapes with random weights in bfloat16, in a temporary folder of up to 1.2 GB: seconds to open
/// them, what they take of memory beside the file, and words a second with kept keys and values; an array.
nlohmann::json published(CpuBackend& backend);
/// Eight trainings of homonyms on one thread each: one after the other, and as many at a time as there are cores, with
/// what the latter takes of the cores' time over what the former takes of one (1: nothing is lost).
nlohmann::json side_by_side();
/// How cost grows with the length of the sentence, up to 4,096 words, and with the width of the model: a forward pass
/// of a whole model and its memory, writing one more word, attention and MLP of one layer; each with the slope that
/// fits the logarithms of the longer half.
nlohmann::json scaling(CpuBackend& backend);
/// What is asked for on the command line.
struct Asked {
    int threads = 0;    // 0: one per core
    std::string model;  // of "frames", "scrubbing" and "opened"
    int minutes = 5;    // of "memory"
};
/// A part that --only names.
struct Part {
    const char* name;
    bool by_default;  // without --only; the others take much memory or time
    std::function<nlohmann::json(const Asked&)> measure;
};
/// Those that need the window; none in a build without it. Where there is no OpenGL, an object with a "note".
std::vector<Part> window_parts();

}  // namespace glassformer::app::bench
