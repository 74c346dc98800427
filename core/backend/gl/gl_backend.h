#pragma once

#include <cstdint>
#include <memory>

#include "core/backend/backend.h"

namespace glassformer {

namespace gl {
class Parameters;
class Recorder;
}  // namespace gl

/// How a GlBackend runs; what is not said is chosen for the device.
struct GlOptions {
    int lanes = 0;                   ///< invocations that share a row: 1 on a processor, 32 on a graphics card
    int product_tile = -1;           ///< tiles of matrix products in shared memory: 0 none, 64, 128; −1 by their size
    int tile_few = 64;               ///< where product_tile is −1: of products of few tiles
    int tile_many = 128;             ///< and of so many that they fill a graphics card
    int fuse_from = 256;             ///< attention stores no table of more queries × keys than the square of this
    std::int64_t largest_block = 0;  ///< cells that a shader can see of a buffer, where less than the driver's limit
    std::int64_t most_iterations = 0;  ///< of the loops of one invocation, where less than the driver's limit
    bool guard = false;                ///< marks the memory between the tensors, for tests
};

/// Runs graphs with OpenGL 4.3 compute shaders. It takes the context that is current where it is made, opens none, and
/// that context must be current wherever the backend, or what it prepared, is used or destroyed. In a build without
/// OpenGL (GLASSFORMER_GL) the constructor throws.
class GlBackend final : public Backend {
public:
    /// Throws Error when the context has no OpenGL 4.3.
    explicit GlBackend(const GlOptions& options = {});
    ~GlBackend() override;

    /// Whether this build holds the backend at all.
    static bool compiled();

    /// "GPU · NVIDIA …", or "CPU · llvmpipe …" where the renderer is software.
    std::string description() const override;
    /// The renderer and its driver's version, to remember measurements by.
    std::string device_name() const;
    /// Whether the renderer runs on the processor.
    bool software() const;
    /// Throws Error naming the op that has no shader, or the tensor that is too large for the driver.
    std::unique_ptr<Execution> prepare(std::shared_ptr<const Graph> graph, const PlanRequest& request) override;
    /// The same, over parameters that others hold too.
    std::unique_ptr<Execution> prepare(std::shared_ptr<const Graph> graph, const PlanRequest& request,
                                       std::shared_ptr<gl::Parameters> parameters);
    /// To record dispatches of one's own with its programs (core/backend/gl/recorder.h).
    gl::Recorder recorder();
    /// Programs compiled so far.
    std::size_t programs() const;

private:
    struct Impl;
    std::unique_ptr<Impl> impl_;
};

/// Float32 cells of a buffer of OpenGL; buffer 0: none.
struct GlPlace {
    unsigned buffer = 0;
    std::int64_t first = 0, cells = 0;
};

/// Where a run that a GlBackend prepared keeps a node's values: for whoever draws them without a copy, in a context
/// that shares its buffers. None where the node was not kept.
GlPlace gl_place(const Execution& run, int node);

/// The pass alone, over these parameters; returns when it is done on the GPU, so that other contexts see it.
void gl_run(Execution& run, std::span<const float> parameters);

/// Seconds of one product of two matrices of side × side, the fastest of several runs of a few each, from asking for it
/// to its end on the GPU.
inline constexpr int gl_product_runs = 5;
double gl_seconds_of_product(GlBackend& gl, std::int64_t side, int runs = gl_product_runs);

/// Seconds that each of many small dispatches takes, one waiting for the other: what a shader costs that does nothing.
double gl_seconds_of_dispatch(GlBackend& gl);

}  // namespace glassformer
