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

/// What the person asked for: --backend auto|cpu|gl.
enum class BackendPreference { automatic, cpu, gl };
template <>
inline constexpr auto enum_names<BackendPreference> = names_up_to<BackendPreference::gl>("auto", "cpu", "gl");
/// Throws Error listing the three names.
inline BackendPreference backend_preference(std::string_view name) {
    return choice_of<BackendPreference>(name, N_("backend"));
}

/// A training to time the backends with.
struct Trial {
    TransformerConfig config;
    std::shared_ptr<const BatchSource> batches;
    TrainOptions options;
};

struct BackendChoice {
    std::unique_ptr<GlBackend> gl;  // null: the processor
    /// Which one, and why not the other: "GPU · NVIDIA …", "CPU · AVX2 · 2 threads: the OpenGL renderer is software".
    std::string description;
    /// Where OpenGL was asked for, or was there and failed: one sentence for the person; "" else.
    std::string trouble;
};

/// Chooses with the context that is current; `no_context` says why there is none, "" where there is one. `automatic`
/// takes the OpenGL backend where its renderer is not software, self_test() passes, and, where there is a trial, a
/// training step is faster there. `gl` takes it where self_test() passes. Never throws for what OpenGL lacks.
BackendChoice choose_backend(BackendPreference preference, const std::string& no_context, CpuBackend& cpu,
                             const GlOptions& options = {}, const Trial* trial = nullptr);

/// Small encoders, forward and backward, on both: "" when every value and gradient is within 1e-3, else a sentence.
/// Throws Error where the backend cannot run it.
std::string self_test(GlBackend& gl, CpuBackend& cpu);

/// Seconds of a training step, without waiting between steps. On the processor where `device` is null.
double seconds_of_step(CpuBackend& cpu, const Trial& trial, std::unique_ptr<TrainingDevice> device);

}  // namespace glassformer
