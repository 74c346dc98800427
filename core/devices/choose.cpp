#include "core/devices/choose.h"

#include <algorithm>
#include <chrono>
#include <cstdio>

#include "core/base/error.h"
#include "core/devices/gl_training_device.h"
#include "core/train/trainer.h"

namespace glassformer {

namespace {

using Clock = std::chrono::steady_clock;

constexpr int warm_steps = 3, timed_steps = 8;

/// Without the colon before what follows on other lines.
std::string first_line(const std::string& text) {
    std::string line = text.substr(0, text.find('\n'));
    if (line.ends_with(':')) line.pop_back();
    return line;
}

/// A compiler's messages side by side.
std::string one_line(std::string text) {
    while (text.ends_with('\n')) text.pop_back();
    std::ranges::replace(text, '\n', ' ');
    return text;
}

std::string times(double here, double there) {
    char text[96];
    std::snprintf(text, sizeof text, "a training step takes %.2f ms there and %.2f ms here", 1e3 * there, 1e3 * here);
    return text;
}

BackendChoice processor(CpuBackend& cpu, const std::string& why) {
    return {nullptr, cpu.description() + (why.empty() ? "" : ": " + why), ""};
}

BackendChoice failed(CpuBackend& cpu, const std::string& why) {
    BackendChoice choice = processor(cpu, first_line(why));
    choice.trouble = one_line(why) + "; continuing on the processor";
    return choice;
}

/// "" where the OpenGL backend is to be preferred, else why not.
std::string slower(CpuBackend& cpu, GlBackend& gl, const Trial& trial) {
    const double here = seconds_of_step(cpu, trial, nullptr),
                 there = seconds_of_step(cpu, trial, std::make_unique<GlTrainingDevice>(gl));
    return there < here ? "" : "faster than " + gl.description() + " (" + times(here, there) + ")";
}

}  // namespace

double seconds_of_step(CpuBackend& cpu, const Trial& trial, std::unique_ptr<TrainingDevice> device) {
    Trainer trainer(cpu, trial.config, trial.batches, trial.options);
    const bool elsewhere = device != nullptr;
    if (device) trainer.use(std::move(device));
    for (int i = 0; i < warm_steps; ++i) trainer.step();
    const Clock::time_point start = Clock::now();
    for (int i = 0; i < timed_steps; ++i) trainer.step_async();
    while (trainer.next_report()) {
    }
    if (elsewhere && !trainer.device()) throw Error(trainer.take_device_trouble());
    return std::chrono::duration<double>(Clock::now() - start).count() / timed_steps;
}

BackendChoice choose_backend(BackendPreference preference, const std::string& no_context, CpuBackend& cpu,
                             const GlOptions& options, const Trial* trial) {
    if (preference == BackendPreference::cpu) return processor(cpu, "");
    if (!no_context.empty())
        return preference == BackendPreference::gl
                   ? failed(cpu, no_context)
                   : processor(cpu, GlBackend::compiled() ? "no OpenGL 4.3 here" : no_context);
    try {
        auto gl = std::make_unique<GlBackend>(options);
        if (preference == BackendPreference::automatic && gl->software())
            return processor(cpu, "the OpenGL renderer is software");
        if (const std::string error = self_test(*gl, cpu); !error.empty()) return failed(cpu, error);
        if (preference == BackendPreference::automatic && trial)
            if (const std::string why = slower(cpu, *gl, *trial); !why.empty()) return processor(cpu, why);
        BackendChoice choice;
        choice.description = gl->description();
        choice.gl = std::move(gl);
        return choice;
    } catch (const Error& e) {
        return failed(cpu, e.what());
    }
}

}  // namespace glassformer
