#pragma once

#include <memory>
#include <optional>
#include <string>

#include "app/context/headless_context.h"
#include "app/session/compute_options.h"
#include "app/session/computing.h"
#include "core/devices/choose.h"

namespace glassformer::app {

/// The worker's choice between the processor and OpenGL. Used by one thread, on which the context is current from the
/// first choice that wants OpenGL until close().
class Compute {
public:
    Compute(ComputeOptions options, ContextSource& contexts, CpuBackend& cpu);

    const Computing& now() const { return now_; }
    bool testing() const { return now_.testing; }
    /// choose() is to be called soon.
    void ask(BackendPreference preference);
    /// The same, where an automatic choice was made for a training of another size.
    void ask_again_for(const Trial& trial);

    /// Chooses again; what device() gave before must be gone. Returns a sentence for the person where OpenGL was wanted
    /// and cannot be had, "" else.
    std::string choose(const Trial* trial);
    /// For a Trainer; null on the processor.
    std::unique_ptr<TrainingDevice> device();
    /// From now on the processor, for that reason; until the next choice, or, where only `this_model` cannot be
    /// trained with OpenGL, until the next model.
    void give_up(const std::string& why, bool this_model);
    /// OpenGL trains now.
    void in_use();
    /// The backend, where it trains and the window's context sees its buffers; else null.
    GlBackend* drawn_from() { return now_.open_gl && shared_ ? gl_.get() : nullptr; }

    /// Lets go of OpenGL, on the thread that it is current on.
    void close();

private:
    std::string open_context();
    bool open_shared(bool& software);
    GlOptions options_here() const;

    ComputeOptions options_;
    ContextSource& contexts_;
    CpuBackend& cpu_;
    Computing now_;
    SharedContext* shared_ = nullptr;  // current, where there is one
    std::unique_ptr<HeadlessContext> headless_;
    bool software_ = false;
    std::unique_ptr<GlBackend> gl_;
    std::optional<Trial> tried_;
};

}  // namespace glassformer::app
