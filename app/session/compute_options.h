#pragma once

#include <functional>
#include <memory>
#include <mutex>
#include <utility>

#include "app/context/shared_context.h"
#include "core/backend/gl/gl_backend.h"
#include "core/devices/choose.h"
#include "core/train/training_device.h"

namespace glassformer::app {

/// How a session computes at first, and where its OpenGL context comes from.
struct ComputeOptions {
    BackendPreference preference = BackendPreference::cpu;
    /// Makes a context that shares with the window's. Called on the window's thread when OpenGL is first wanted; may
    /// throw Error. If it is empty or its renderer is software, a headless context is tried.
    std::function<std::unique_ptr<SharedContext>()> context;
    GlOptions gl;
    /// Makes the device that trains with a backend; if empty, GlTrainingDevice is used.
    std::function<std::unique_ptr<TrainingDevice>(GlBackend&)> device;
};

/// Hands a context made on the window's thread to the worker's thread.
class ContextSource {
public:
    explicit ContextSource(std::function<std::unique_ptr<SharedContext>()> make) : make_(std::move(make)) {}

    /// Makes the context on the first call. Call this on the window's thread.
    void prepare();
    /// Returns null if no context could be made. Call this on the worker's thread.
    SharedContext* context() const;

private:
    std::function<std::unique_ptr<SharedContext>()> make_;
    mutable std::mutex mutex_;
    std::unique_ptr<SharedContext> context_;
    bool made_ = false;
};

}  // namespace glassformer::app
