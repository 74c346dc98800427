#include "core/backend/gl/timing.h"

#include <algorithm>
#include <chrono>

#include "core/backend/gl/execution.h"
#include "core/ops/ops.h"

namespace glassformer {

namespace {

using Clock = std::chrono::steady_clock;

/// The fastest run: `times` replays, waited for together, after one that is not counted.
double seconds_of_replay(const gl::Commands& commands, int times, int runs) {
    commands.replay(0, commands.size());
    glFinish();
    double best = 1e9;
    for (int run = 0; run < runs; ++run) {
        const Clock::time_point start = Clock::now();
        for (int i = 0; i < times; ++i) commands.replay(0, commands.size());
        glFinish();
        best = std::min(best, std::chrono::duration<double>(Clock::now() - start).count() / times);
    }
    gl::check_errors("while shaders were timed");
    return best;
}

gl::Span filled(gl::Recorder& gl, std::int64_t cells) {
    return gl.constants(std::vector<float>(static_cast<std::size_t>(cells), 0.5f));
}

}  // namespace

double gl_seconds_of_product(GlBackend& backend, std::int64_t side, int runs) {
    gl::Recorder gl = backend.recorder();
    const OpPtr op = ops::linear();
    const Shape shape{side, side};
    gl::find_gl_op(op->name())
        ->forward(gl, {*op,
                       {{filled(gl, side * side), shape}, {filled(gl, side * side), shape}},
                       {gl.scratch(side * side), shape},
                       {},
                       {}});
    gl::Commands commands = std::move(gl.commands());
    const std::vector<gl::Buffer> buffers = gl.take_buffers();
    commands.seal(gl.device());
    return seconds_of_replay(commands, side <= 1024 ? 4 : 1, runs);
}

double gl_seconds_of_dispatch(GlBackend& backend) {
    constexpr int dispatches = 1000;
    gl::Recorder gl = backend.recorder();
    const gl::Span a = filled(gl, 64), b = filled(gl, 64);
    for (int i = 0; i < dispatches; ++i) gl::record_copy(gl, i % 2 ? b : a, {i % 2 ? a : b, false});
    gl::Commands commands = std::move(gl.commands());
    const std::vector<gl::Buffer> buffers = gl.take_buffers();
    commands.seal(gl.device());
    return seconds_of_replay(commands, 1, 5) / dispatches;
}

}  // namespace glassformer
