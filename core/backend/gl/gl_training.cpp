#include "core/backend/gl/gl_training.h"

#include <array>
#include <cmath>

#include "core/backend/gl/execution.h"
#include "core/base/error.h"

namespace glassformer {

namespace {

constexpr std::int64_t squares = 256;     // partial sums of the gradient's norm
constexpr std::int64_t report_cells = 3;  // loss, norm, factor

/// A fence in the queue of the GPU, and where the report that it guards was copied to.
struct Pending {
    GLsync fence = nullptr;
    std::int64_t step = 0;
    gl::Buffer cells{report_cells};
};

}  // namespace

struct GlTraining::Impl {
    std::shared_ptr<gl::Parameters> parameters;
    std::unique_ptr<Execution> execution;
    GlTrainingOptions options;
    gl::Buffer m, v, rates{3}, report{report_cells};
    std::vector<gl::Buffer> buffers;
    gl::Commands update;
    std::array<Pending, most_pending> ring;
    std::size_t oldest = 0, pending = 0;
    std::int64_t updates = 0;

    gl::GlExecution& run() { return static_cast<gl::GlExecution&>(*execution); }
    void record(const Graph& graph, gl::Recorder gl);
    void record_update(const Graph& graph, gl::Recorder& gl);
    void queue_report();
    Report take();
    ~Impl() {
        for (const Pending& p : ring)
            if (p.fence) glDeleteSync(p.fence);
    }
};

GlTraining::GlTraining(GlBackend& backend, std::shared_ptr<const Graph> graph, const PlanRequest& request,
                       const GlTrainingOptions& options)
    : impl_(std::make_unique<Impl>()) {
    if (request.loss < 0) throw Error("training needs a graph with a loss");
    impl_->parameters = std::make_shared<gl::Parameters>(*graph);
    impl_->options = options;
    impl_->execution = backend.prepare(graph, request, impl_->parameters);
    impl_->m = gl::Buffer(impl_->parameters->cells());
    impl_->v = gl::Buffer(impl_->parameters->cells());
    impl_->record(*graph, backend.recorder());
}

GlTraining::~GlTraining() = default;

// √ Σ g² in two stages, the factor of clipping, and the update, which reads the factor where the shader left it.
void GlTraining::Impl::record(const Graph& graph, gl::Recorder gl) {
    const gl::Span partial = gl.scratch(squares), gradients = parameters->all_gradients(),
                   out{report.id(), 0, report_cells};
    gl.dispatch("gradient_squares")
        .in("g", gradients)
        .out("partial", partial)
        .set("count", gradients.cells)
        .groups(squares);
    gl.dispatch("gradient_norm")
        .in("partial", partial)
        .in("loss", run().value_span(run().loss_node()))
        .out("report", out)
        .set("clip", static_cast<double>(options.clip))
        .groups(1);
    record_update(graph, gl);
    update = std::move(gl.commands());
    buffers = gl.take_buffers();
    update.seal(gl.device());
}

void GlTraining::Impl::record_update(const Graph& graph, gl::Recorder& gl) {
    constexpr std::int64_t block = 16;  // every parameter begins a new block of cells
    std::vector<float> decay(static_cast<std::size_t>(parameters->cells() / block));
    for (const gl::Parameters::Place& p : parameters->places())
        for (std::int64_t i = p.padded / block; i * block < p.padded + p.cells; ++i)
            decay[static_cast<std::size_t>(i)] = graph[p.node].shape.rank() >= 2 ? options.weight_decay : 0.0f;
    const gl::Span decays = gl.constants(decay);
    // Parameters larger than a shader can see are updated part by part.
    const std::int64_t most = (gl.device().largest_block - gl.device().storage_alignment) / block * block;
    for (std::int64_t begin = 0; begin < parameters->cells(); begin += most) {
        const std::int64_t count = std::min(most, parameters->cells() - begin);
        gl.dispatch("adamw")
            .out("w", parameters->values().part(begin, count))
            .in("g", parameters->all_gradients().part(begin, count))
            .out("m", {m.id(), begin, count})
            .out("v", {v.id(), begin, count})
            .in("decay", decays.part(begin / block, count / block))
            .in("rates", {rates.id(), 0, 3})
            .in("report", {report.id(), 0, report_cells})
            .set("count", count)
            .set("beta1", static_cast<double>(options.beta1))
            .set("beta2", static_cast<double>(options.beta2))
            .set("epsilon", static_cast<double>(options.epsilon))
            .over_cells(count);
    }
}

Execution& GlTraining::execution() { return *impl_->execution; }
std::shared_ptr<gl::Parameters> GlTraining::parameters() { return impl_->parameters; }

void GlTraining::step(float learning_rate) {
    Impl& t = *impl_;
    if (t.pending == most_pending) throw Error("eight reports of training steps were not taken; call poll() or wait()");
    const auto updates = static_cast<double>(++t.updates);
    const float rates[] = {learning_rate,
                           static_cast<float>(1.0 / (1.0 - std::pow(static_cast<double>(t.options.beta1), updates))),
                           static_cast<float>(1.0 / (1.0 - std::pow(static_cast<double>(t.options.beta2), updates)))};
    t.rates.write(0, rates, 3);
    t.run().run_forward();
    t.run().run_backward();
    t.update.replay(0, t.update.size());
    t.parameters->changed_on_gpu();
    t.queue_report();
}

// A buffer of its own for each step: reading it waits for nothing that comes later.
void GlTraining::Impl::queue_report() {
    Pending& p = ring[(oldest + pending++) % ring.size()];
    glBindBuffer(GL_COPY_READ_BUFFER, report.id());
    glBindBuffer(GL_COPY_WRITE_BUFFER, p.cells.id());
    glCopyBufferSubData(GL_COPY_READ_BUFFER, GL_COPY_WRITE_BUFFER, 0, 0, report_cells * 4);
    p.step = updates;
    p.fence = glFenceSync(GL_SYNC_GPU_COMMANDS_COMPLETE, 0);
    glFlush();
}

GlTraining::Report GlTraining::Impl::take() {
    Pending& p = ring[oldest];
    float cells[report_cells];
    p.cells.read(0, cells, report_cells);
    glDeleteSync(p.fence);
    p.fence = nullptr;
    oldest = (oldest + 1) % ring.size();
    --pending;
    return {p.step, cells[0], cells[1]};
}

std::optional<GlTraining::Report> GlTraining::poll() {
    if (impl_->pending == 0) return std::nullopt;
    const GLenum state = glClientWaitSync(impl_->ring[impl_->oldest].fence, 0, 0);
    if (state == GL_WAIT_FAILED) throw Error("the OpenGL context was lost while a model was trained");
    if (state == GL_TIMEOUT_EXPIRED) return std::nullopt;
    return impl_->take();
}

std::optional<GlTraining::Report> GlTraining::wait() {
    if (impl_->pending == 0) return std::nullopt;
    return impl_->take();
}

void GlTraining::set_parameters(std::span<const float> flat) {
    if (static_cast<std::int64_t>(flat.size()) != impl_->parameters->count())
        throw Error("the model has " + std::to_string(impl_->parameters->count()) + " parameters; " +
                    std::to_string(flat.size()) + " were given");
    impl_->parameters->upload(flat);
}

void GlTraining::read_parameters(std::span<float> flat) const { impl_->parameters->download(flat); }

void GlTraining::set_moments(std::span<const float> m, std::span<const float> v, std::int64_t updates) {
    impl_->parameters->scatter(m, impl_->m);
    impl_->parameters->scatter(v, impl_->v);
    impl_->updates = updates;
}

void GlTraining::read_moments(std::span<float> m, std::span<float> v) const {
    impl_->parameters->gather(impl_->m, m);
    impl_->parameters->gather(impl_->v, v);
}

std::int64_t GlTraining::updates() const { return impl_->updates; }

}  // namespace glassformer
