#pragma once

#include <memory>
#include <string>
#include <string_view>

#include "core/backend/cpu/cpu_backend.h"
#include "core/backend/gl/gl_backend.h"
#include "core/base/mark_text.h"
#include "core/base/reflection.h"
#include "core/train/batch_source.h"
#include "core/train/train_options.h"
#include "core/train/training_device.h"

namespace glassformer {

/// The user's request: --backend auto|cpu|gl.
enum class BackendPreference { automatic, cpu, gl };
template <>
inline constexpr auto enum_names<BackendPreference> = names_up_to<BackendPreference::gl>("auto", "cpu", "gl");
/// Throws Error listing the three names.
inline BackendPreference backend_preference(std::string_view name) {
    return choice_of<BackendPreference>(name, N_("backend"));
}

/// A training setup for timing the backends.
struct Trial {
    TransformerConfig config;
    std::shared_ptr<const BatchSource> batches;
    TrainOptions options;
};

struct BackendChoice {
    std::unique_ptr<GlBackend> gl;  // null: use the CPU
    /// Which one, and why not the other: "GPU · NVIDIA …", "CPU · AVX2 · 2 threads: the OpenGL renderer is software".
    std::string description;
    /// One sentence for the user if OpenGL was requested, or was available and failed; else "".
    std::string trouble;
};

/// Chooses a backend with the current context; `no_context` says why there is none, or is "". `automatic` chooses
/// OpenGL if its renderer is not software, self_test() passes and, given a trial, a training step is faster there. `gl`
/// chooses it if self_test() passes. Never throws because of something that OpenGL lacks.
BackendChoice choose_backend(BackendPreference preference, const std::string& no_context, CpuBackend& cpu,
                             const GlOptions& options = {}, const Trial* trial = nullptr);

/// Runs small encoders forward and backward on both. Returns "" if every value and gradient agrees within 1e-3, else a
/// sentence. Throws Error if the backend cannot run them.
std::string self_test(GlBackend& gl, CpuBackend& cpu);

/// Seconds per training step, running steps back to back. Uses the CPU if `device` is null.
double seconds_of_step(CpuBackend& cpu, const Trial& trial, std::unique_ptr<TrainingDevice> device);

}  // namespace glassformer
