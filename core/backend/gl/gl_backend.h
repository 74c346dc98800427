#pragma once

#include <cstdint>
#include <memory>

#include "core/backend/backend.h"

namespace glassformer {

namespace gl {
class Parameters;
class Recorder;
}  // namespace gl

/// How a GlBackend runs. Values that are not set are chosen for the device.
struct GlOptions {
    int lanes = 0;          ///< invocations that share a row: 1 on a CPU, 32 on a graphics card
    int product_tile = -1;  ///< tiles of matrix products in shared memory: 0 none, 64, 128; −1: chosen by size
    int tile_few = 64;      ///< if product_tile is −1: for products with few tiles
    int tile_many = 128;    ///< and for products with enough tiles to fill a graphics card
    int fuse_from = 256;    ///< attention stores no table with at least the square of this many queries × keys
    std::int64_t largest_block = 0;    ///< cells of a buffer that a shader can see, if below the driver's limit
    std::int64_t most_iterations = 0;  ///< loop iterations of one invocation, if below the driver's limit
    bool guard = false;                ///< fills the memory between the tensors with marks, for tests
};

/// Runs graphs with OpenGL 4.3 compute shaders. Uses the context that is current during construction and opens none
/// itself. That context must be current wherever the backend, or anything it prepared, is used or destroyed. In a build
/// without OpenGL (GLASSFORMER_GL) the constructor throws.
class GlBackend final : public Backend {
public:
    /// Throws Error if the context has no OpenGL 4.3.
    explicit GlBackend(const GlOptions& options = {});
    ~GlBackend() override;

    /// Whether this build includes the backend.
    static bool compiled();

    /// "GPU · NVIDIA …", or "CPU · llvmpipe …" for a software renderer.
    std::string description() const override;
    /// Renderer and driver version, as a key for stored measurements.
    std::string device_name() const;
    /// Whether the renderer runs on the CPU.
    bool software() const;
    /// Throws Error naming an op that has no shader, or a tensor that is too large for the driver.
    std::unique_ptr<Execution> prepare(std::shared_ptr<const Graph> graph, const PlanRequest& request) override;
    /// The same, with parameters that others may share.
    std::unique_ptr<Execution> prepare(std::shared_ptr<const Graph> graph, const PlanRequest& request,
                                       std::shared_ptr<gl::Parameters> parameters);
    /// For recording custom dispatches with its programs (core/backend/gl/recorder.h).
    gl::Recorder recorder();
    /// Programs compiled so far.
    std::size_t programs() const;

private:
    struct Impl;
    std::unique_ptr<Impl> impl_;
};

/// Float32 cells of an OpenGL buffer; buffer 0: none.
struct GlPlace {
    unsigned buffer = 0;
    std::int64_t first = 0, cells = 0;
};

/// Where a run prepared by a GlBackend keeps a node's values, for drawing them without a copy in a context that shares
/// its buffers. Buffer 0 if the node was not kept.
GlPlace gl_place(const Execution& run, int node);

/// The forward pass alone, with these parameters. Returns when the GPU is done, so that other contexts see the result.
void gl_run(Execution& run, std::span<const float> parameters);

/// Seconds for one product of two side × side matrices, from the call to its completion on the GPU: the fastest of
/// several runs of a few products each.
inline constexpr int gl_product_runs = 5;
double gl_seconds_of_product(GlBackend& gl, std::int64_t side, int runs = gl_product_runs);

/// Seconds per dispatch in a sequence of small dispatches that wait for each other: the overhead of a shader that does
/// almost nothing.
double gl_seconds_of_dispatch(GlBackend& gl);

}  // namespace glassformer
