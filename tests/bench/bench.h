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

/// The measurements of the program `bench`, one kind per file. Times are in milliseconds unless a key says otherwise.
namespace glassformer::app::bench {

using Clock = std::chrono::steady_clock;
double elapsed_ms(Clock::time_point start);

/// Order statistics of repeated timings.
struct Times {
    std::vector<double> ms;
    double quantile(double q) const;
    double median() const { return quantile(0.5); }
};

/// GFLOP/s of large matrix products on all threads: the practical peak of this machine's kernels.
double measured_peak(CpuBackend& backend);

/// The size of a training step. PyTorch is measured with the same table (tests/bench/compare_torch.py).
struct Size {
    const char* name;
    int batch, positions, d_model, n_layers, n_heads, d_vocab, repeats;

    TransformerConfig config() const;
    /// GFLOP of one step: 6 FLOP per parameter and token for the matrix products, plus 12·L·B·T²·d for attention.
    double gflop(std::int64_t parameters) const;
};
std::span<const Size> training_sizes();
std::vector<float> random_tokens(const Size& size);

/// Times one training step (forward, backward, clip, AdamW) at the four sizes and compares it with the peak.
nlohmann::json training_steps(CpuBackend& backend, double peak_gflops);
/// Times one step of a model of GPT-2's smallest size, on 4 texts of 64 tokens.
nlohmann::json gpt2_step(CpuBackend& backend);
/// Times OpenGL: a dispatch, matrix products, the same training steps, and attention over long sentences. `parts`
/// selects from "dispatch", "products", "training" and "attention"; empty selects all. A software renderer runs only
/// the small sizes unless `full` is set; then it runs the large ones once each and reports each on standard error. A
/// size that does not fit into memory has a "note" instead of figures.
nlohmann::json open_gl(GlBackend& gl, std::span<const std::string> parts, bool full);
/// Draws the patterns of 144 heads on 512 tokens straight from the buffers that the backend's shaders filled, in the
/// backend's context. Returns an object with a "note" if that is not possible.
nlohmann::json heat_maps(GlBackend& gl);
/// Times the forward pass of one sentence with and without keeping every value.
nlohmann::json tracing(CpuBackend& backend);
/// GPT-2's smallest size (124 M parameters).
TransformerConfig gpt2_small();
/// A model of GPT-2's smallest size with random weights: times the pass over 128 tokens alone and with every value
/// kept, and generating one more token with the KV cache.
nlohmann::json gpt2_shaped(CpuBackend& backend);
/// Times the attribution of an answer to 20 words (core/analysis/word_parts.h), in a model shaped like the shipped
/// homonyms and in one like GPT-2 small: until each word was left out once, and until all methods are done.
nlohmann::json word_parts(CpuBackend& backend);
/// Models of published shapes with random bfloat16 weights, in a temporary folder of up to 1.2 GB: the seconds to open
/// each, its resident memory next to the size of its file, and tokens per second with the KV cache. An array.
nlohmann::json published(CpuBackend& backend);
/// Eight single-threaded trainings of homonyms: one after the other, then as many at once as there are cores. The ratio
/// is the core time of the second way over that of the first (1: nothing is lost).
nlohmann::json side_by_side();
/// How cost grows with sentence length (up to 4,096 tokens) and with model width: a forward pass of a whole model and
/// its memory, generating one more token, attention and the MLP of one layer. Each has the slope that fits the
/// logarithms of the larger half.
nlohmann::json scaling(CpuBackend& backend);
/// The options of the command line that the parts read.
struct Asked {
    int threads = 0;    // 0: one per core
    std::string model;  // for "frames", "scrubbing" and "opened"
    int minutes = 5;    // for "memory"
};
/// A part that --only can name.
struct Part {
    const char* name;
    bool by_default;  // runs without --only; the others need much memory or time
    std::function<nlohmann::json(const Asked&)> measure;
};
/// The parts that need the window; none in a build without it. Without OpenGL each is an object with a "note".
std::vector<Part> window_parts();

}  // namespace glassformer::app::bench
