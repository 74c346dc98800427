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

/// How a session computes at first, and where its OpenGL comes from.
struct ComputeOptions {
    BackendPreference preference = BackendPreference::cpu;
    /// A context beside the window's; called on the thread of the window, when OpenGL is asked for first, and may throw
    /// Error. Where it is empty, or gives a software renderer, a headless context is tried.
    std::function<std::unique_ptr<SharedContext>()> context;
    GlOptions gl;
    /// Makes what trains with a backend; where it is empty, GlTrainingDevice.
    std::function<std::unique_ptr<TrainingDevice>(GlBackend&)> device;
};

/// Hands the context that was made on the window's thread to the worker's.
class ContextSource {
public:
    explicit ContextSource(std::function<std::unique_ptr<SharedContext>()> make) : make_(std::move(make)) {}

    /// On the window's thread; makes it in the first call.
    void prepare();
    /// On the worker's: null where none could be made.
    SharedContext* context() const;

private:
    std::function<std::unique_ptr<SharedContext>()> make_;
    mutable std::mutex mutex_;
    std::unique_ptr<SharedContext> context_;
    bool made_ = false;
};

}  // namespace glassformer::app
