#pragma once

#include <memory>
#include <optional>
#include <string>

#include "app/context/headless_context.h"
#include "app/session/compute_options.h"
#include "app/session/computing.h"
#include "core/devices/choose.h"

namespace glassformer::app {

/// The worker's choice between the CPU and OpenGL. Must be used from one thread; the OpenGL context is current on it
/// from the first choice that wants OpenGL until close().
class Compute {
public:
    Compute(ComputeOptions options, ContextSource& contexts, CpuBackend& cpu);

    const Computing& now() const { return now_; }
    bool testing() const { return now_.testing; }
    /// Requests a choice; choose() must be called soon.
    void ask(BackendPreference preference);
    /// Like ask(), if the automatic choice was made for a training of another size.
    void ask_again_for(const Trial& trial);

    /// Chooses again; whatever device() returned must be destroyed first. Returns a sentence for the user if OpenGL was
    /// wanted but is unavailable, otherwise "".
    std::string choose(const Trial* trial);
    /// Returns a device for a Trainer; null on the CPU.
    std::unique_ptr<TrainingDevice> device();
    /// Falls back to the CPU for the reason `why`: until the next choice, or, if OpenGL only cannot train `this_model`,
    /// until the next model.
    void give_up(const std::string& why, bool this_model);
    /// Records that OpenGL trains now.
    void in_use();
    /// Returns the backend if it trains and the window's context can see its buffers, otherwise null.
    GlBackend* drawn_from() { return now_.open_gl && shared_ ? gl_.get() : nullptr; }

    /// Releases OpenGL. Call this on the thread where the context is current.
    void close();

private:
    std::string open_context();
    bool open_shared(bool& software);
    GlOptions options_here() const;

    ComputeOptions options_;
    ContextSource& contexts_;
    CpuBackend& cpu_;
    Computing now_;
    SharedContext* shared_ = nullptr;  // current; null if there is none
    std::unique_ptr<HeadlessContext> headless_;
    bool software_ = false;
    std::unique_ptr<GlBackend> gl_;
    std::optional<Trial> tried_;
};

}  // namespace glassformer::app
