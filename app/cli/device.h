#pragma once

#include <memory>
#include <string>

#include "app/context/headless_context.h"
#include "core/devices/choose.h"

namespace glassformer::app {

/// What a subcommand computes on: the CPU, or an OpenGL context of its own. Says once, on standard error, why OpenGL
/// was requested but is not available, or has failed.
class Device {
public:
    /// `preference` is auto, cpu or gl; with auto and a trial, the faster training step decides.
    Device(const std::string& preference, CpuBackend& cpu, const Trial* trial = nullptr);

    /// Null on the CPU.
    GlBackend* gl() { return choice_.gl.get(); }
    Backend& backend() { return choice_.gl ? static_cast<Backend&>(*choice_.gl) : cpu_; }
    /// A device for a Trainer; null on the CPU.
    std::unique_ptr<TrainingDevice> training() const;
    const std::string& description() const { return choice_.description; }

    /// Tells why the caller continues on the CPU; description() then says so.
    void give_up(const std::string& why);

private:
    CpuBackend& cpu_;
    std::unique_ptr<HeadlessContext> context_;  // destroyed after the backend
    BackendChoice choice_;
};

}  // namespace glassformer::app
