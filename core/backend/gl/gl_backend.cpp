#include "core/backend/gl/gl_backend.h"

#include <algorithm>

#include "core/backend/gl/execution.h"
#include "core/base/seconds_since.h"
#include "core/ops/ops.h"

namespace glassformer {

struct GlBackend::Impl {
    gl::Device device = gl::Device::query();
    gl::Programs programs;
    gl::Tuning tuning;
    bool guard = false;
};

GlBackend::GlBackend(const GlOptions& options) : impl_(std::make_unique<Impl>()) {
    // On a CPU, one invocation per row is best: barriers cost more than sharing saves.
    impl_->tuning.lanes = options.lanes > 0 ? options.lanes : impl_->device.software ? 1 : 32;
    impl_->tuning.product_tile = options.product_tile >= 0 ? options.product_tile : impl_->device.software ? 0 : -1;
    impl_->tuning.tile_few = options.tile_few;
    impl_->tuning.tile_many = options.tile_many;
    impl_->tuning.fuse_from = options.fuse_from;
    if (options.largest_block > 0)
        impl_->device.largest_block = std::min(impl_->device.largest_block, options.largest_block);
    if (options.most_iterations > 0)
        impl_->device.most_iterations = std::min(impl_->device.most_iterations, options.most_iterations);
    impl_->guard = options.guard;
}

GlBackend::~GlBackend() = default;

bool GlBackend::compiled() { return true; }

std::string GlBackend::description() const {
    return (impl_->device.software ? "CPU · " : "GPU · ") + std::string(impl_->device.name());
}

std::string GlBackend::device_name() const {
    return std::string(impl_->device.name()) + " · " + reinterpret_cast<const char*>(glGetString(GL_VERSION));
}

bool GlBackend::software() const { return impl_->device.software; }

std::unique_ptr<Execution> GlBackend::prepare(std::shared_ptr<const Graph> graph, const PlanRequest& request) {
    auto parameters = std::make_shared<gl::Parameters>(*graph);
    return prepare(std::move(graph), request, std::move(parameters));
}

std::unique_ptr<Execution> GlBackend::prepare(std::shared_ptr<const Graph> graph, const PlanRequest& request,
                                              std::shared_ptr<gl::Parameters> parameters) {
    return std::make_unique<gl::GlExecution>(std::move(graph), request, std::move(parameters), recorder(),
                                             impl_->guard);
}

gl::Recorder GlBackend::recorder() { return {impl_->programs, impl_->device, impl_->tuning}; }

std::size_t GlBackend::programs() const { return impl_->programs.size(); }

GlPlace gl_place(const Execution& run, int node) {
    const gl::Span span = static_cast<const gl::GlExecution&>(run).value_span(node);
    return {span.buffer, span.offset, span.cells};
}

void gl_run(Execution& run, std::span<const float> parameters) {
    run.forward(parameters);
    glFinish();
    gl::check_errors("while a sentence was traced");
}

namespace {

/// Seconds per replay in the fastest run. Each run makes `times` replays and waits for them together; a warm-up replay
/// is not counted.
double seconds_of_replay(const gl::Commands& commands, int times, int runs) {
    commands.replay(0, commands.size());
    glFinish();
    double best = 1e9;
    for (int run = 0; run < runs; ++run) {
        const auto start = std::chrono::steady_clock::now();
        for (int i = 0; i < times; ++i) commands.replay(0, commands.size());
        glFinish();
        best = std::min(best, seconds_since(start) / times);
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
