#include "core/backend/gl/gl_training.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <utility>

#include "core/backend/gl/execution.h"
#include "core/backend/gl/gl_ops.h"
#include "core/backend/gl/parameters.h"
#include "core/backend/gl/recorder.h"
#include "core/base/ceil_div.h"
#include "core/base/error.h"

namespace glassformer {

namespace gl {

namespace {

/// The numbers that an update reads in each step (include/update.glsl): learning rate, 1/(1−β₁ᵗ), 1/(1−β₂ᵗ), β₁, β₂, μ,
/// ε, λ, clip; then a share for each running value.
constexpr std::int64_t update_numbers = 9;
/// What it reports: loss, gradient norm, clip factor, and 1 if a number inside was not finite.
constexpr std::int64_t report_cells = 4;

/// The operands of an update.
struct UpdateOperands {
    Parameters& parameters;
    Span m, v;  // in the padded layout; empty if the method has none
    Span loss, broken, numbers, report;
    std::vector<std::pair<Span, Span>> running = {};  // batch statistic, and parameter
};

constexpr std::int64_t partial_sums = 256;  // of the squares, per part
constexpr std::int64_t invocations = 64;    // per group of these sums
constexpr std::int64_t block = 16;          // every parameter starts a new block of cells

/// Calls body(begin, count) for parts small enough for a shader to see.
template <class Body>
void each_visible_part(const Recorder& gl, std::int64_t cells, const Body& body) {
    each_part(cells, lines_at_once(gl, cells, 1, block), body);
}

// A range may span several parameters, which are not adjacent here.
void record_held(Recorder& gl, const UpdateOperands& on, std::span<const GlHeld> held) {
    for (const GlHeld& h : held)
        for (const Parameters::Place& p : on.parameters.places()) {
            const std::int64_t begin = std::max(h.offset, p.flat), end = std::min(h.offset + h.count, p.flat + p.cells);
            if (begin < end) record_fill(gl, on.parameters.gradient(p.node).part(begin - p.flat, end - begin), 0.0);
        }
}

// √ Σ g² in two stages, and the clip factor.
void record_norm(Recorder& gl, const UpdateOperands& on) {
    const Span gradients = on.parameters.all_gradients();
    std::int64_t parts = 0;
    each_visible_part(gl, gradients.cells, [&](std::int64_t, std::int64_t) { ++parts; });
    const Span partial = gl.scratch(parts * partial_sums);
    std::int64_t at = 0;
    each_visible_part(gl, gradients.cells, [&](std::int64_t begin, std::int64_t count) {
        gl.dispatch("gradient_squares")
            .in("g", gradients.part(begin, count))
            .out("partial", partial.part(at, partial_sums))
            .set("count", count)
            .loops(ceil_div(count, partial_sums * invocations) + invocations)
            .groups(partial_sums);
        at += partial_sums;
    });
    gl.dispatch("gradient_norm")
        .in("partial", partial)
        .in("loss", on.loss)
        .in("broken", on.broken)
        .in("numbers", on.numbers)
        .out("report", on.report)
        .set("count", partial.cells)
        .loops(ceil_div(partial.cells, invocations) + invocations)
        .groups(1);
}

const char* shader_of(GlMethod::Kind kind) {
    switch (kind) {
        case GlMethod::Kind::sgd:
            return "sgd";
        case GlMethod::Kind::momentum:
            return "momentum";
        case GlMethod::Kind::adam:
            return "adam";
        case GlMethod::Kind::adamw:
            break;
    }
    return "adamw";
}

void record_optimizer(Recorder& gl, const Graph& graph, const UpdateOperands& on, GlMethod::Kind kind) {
    std::vector<float> decay(static_cast<std::size_t>(on.parameters.cells() / block));
    for (const Parameters::Place& p : on.parameters.places())
        for (std::int64_t i = p.padded / block; i * block < p.padded + p.cells; ++i)
            decay[i] = graph[p.node].shape.rank() >= 2 ? 1.0f : 0.0f;
    const Span decays = gl.constants(decay);
    each_visible_part(gl, on.parameters.cells(), [&](std::int64_t begin, std::int64_t count) {
        Dispatch d = gl.dispatch(shader_of(kind));
        d.out("w", on.parameters.values().part(begin, count)).in("g", on.parameters.all_gradients().part(begin, count));
        if (kind != GlMethod::Kind::sgd) d.out("m", on.m.part(begin, count));
        if (kind == GlMethod::Kind::adam || kind == GlMethod::Kind::adamw) d.out("v", on.v.part(begin, count));
        d.in("decay", decays.part(begin / block, (count + block - 1) / block));
        d.in("numbers", on.numbers).in("report", on.report).over_cells(count);
    });
}

/// Records everything after the backward pass: clearing held cells, the gradient norm, the optimizer, running values.
void record_update(Recorder& gl, const Graph& graph, const UpdateOperands& on, GlMethod::Kind kind,
                   std::span<const GlHeld> held, std::span<const GlRunning> running) {
    record_held(gl, on, held);
    record_norm(gl, on);
    record_optimizer(gl, graph, on, kind);
    for (std::size_t i = 0; i < running.size(); ++i)
        gl.dispatch("running_statistic")
            .in("now", on.running[i].first)
            .out("running", on.running[i].second)
            .in("numbers", on.numbers)
            .in("report", on.report)
            .set("which", update_numbers + static_cast<std::int64_t>(i))
            .set("momentum", static_cast<double>(running[i].momentum))
            .over_cells(on.running[i].second.cells);
}

}  // namespace

}  // namespace gl

struct GlTraining::Impl {
    /// A fence in the GPU's queue, and the buffer that its report was copied to.
    struct Pending {
        GLsync fence = nullptr;
        std::int64_t step = 0;
        gl::Buffer cells{gl::report_cells};
    };

    GlBackend& backend;
    std::shared_ptr<const Graph> graph;
    std::shared_ptr<gl::Parameters> parameters;
    std::unique_ptr<Execution> execution;
    GlMethod method;
    std::vector<GlRunning> running;
    std::vector<GlHeld> held;
    gl::Buffer m, v, numbers, report{gl::report_cells};
    std::vector<float> numbers_now;
    std::vector<gl::Buffer> buffers;
    gl::Commands update;
    std::array<Pending, most_pending> ring;
    std::size_t oldest = 0, pending = 0;
    std::int64_t updates = 0;

    Impl(GlBackend& b, std::shared_ptr<const Graph> g, const GlMethod& how, std::vector<GlRunning> following)
        : backend(b),
          graph(std::move(g)),
          parameters(std::make_shared<gl::Parameters>(*graph)),
          method(how),
          running(std::move(following)),
          numbers_now(static_cast<std::size_t>(gl::update_numbers) + running.size()) {}
    ~Impl() {
        for (const Pending& p : ring)
            if (p.fence) glDeleteSync(p.fence);
    }

    gl::GlExecution& run() { return static_cast<gl::GlExecution&>(*execution); }
    void record();
    void write_numbers(float learning_rate, std::span<const float> shares);
    void queue_report();
    Report take();
};

GlTraining::GlTraining(GlBackend& backend, std::shared_ptr<const Graph> graph, const PlanRequest& request,
                       const GlMethod& method, std::vector<GlRunning> running) {
    if (request.loss < 0) throw Error("training needs a graph with a loss");
    impl_ = std::make_unique<Impl>(backend, std::move(graph), method, std::move(running));
    Impl& t = *impl_;
    t.execution = backend.prepare(t.graph, request, t.parameters);
    t.numbers = gl::Buffer(static_cast<std::int64_t>(t.numbers_now.size()));
    t.record();
}

GlTraining::~GlTraining() = default;

void GlTraining::Impl::record() {
    const bool has_v = method.kind == GlMethod::Kind::adam || method.kind == GlMethod::Kind::adamw,
               has_m = has_v || method.kind == GlMethod::Kind::momentum;
    const std::int64_t cells = parameters->cells();
    if (has_m && !m.id()) m = gl::Buffer(cells);
    if (has_v && !v.id()) v = gl::Buffer(cells);
    gl::Recorder recorder = backend.recorder();
    gl::UpdateOperands on{*parameters,
                          has_m ? gl::Span{m.id(), 0, cells} : gl::Span{},
                          has_v ? gl::Span{v.id(), 0, cells} : gl::Span{},
                          run().value_span(run().loss_node()),
                          run().broken(),
                          {numbers.id(), 0, numbers.cells()},
                          {report.id(), 0, gl::report_cells}};
    for (const GlRunning& r : running)
        on.running.emplace_back(run().value_span(r.of_batch), parameters->value(r.running));
    gl::record_update(recorder, *graph, on, method.kind, held, running);
    update = std::move(recorder.commands());
    buffers = recorder.take_buffers();
    update.seal(recorder.device());
    gl::check_errors("while an optimizer was prepared");
}

Execution& GlTraining::execution() { return *impl_->execution; }
std::shared_ptr<gl::Parameters> GlTraining::parameters() { return impl_->parameters; }

void GlTraining::set_method(const GlMethod& method) {
    const bool other = method.kind != impl_->method.kind;
    impl_->method = method;
    if (other) impl_->record();
}

void GlTraining::freeze_at_zero(std::span<const GlHeld> cells) {
    impl_->held.assign(cells.begin(), cells.end());
    impl_->record();
}

void GlTraining::Impl::write_numbers(float learning_rate, std::span<const float> shares) {
    const auto t = static_cast<double>(updates);
    const auto scale = [&](float beta) {
        return static_cast<float>(1.0 / (1.0 - std::pow(static_cast<double>(beta), t)));
    };
    const float fixed[] = {learning_rate,   scale(method.beta1), scale(method.beta2), method.beta1, method.beta2,
                           method.momentum, method.epsilon,      method.weight_decay, method.clip};
    static_assert(std::size(fixed) == static_cast<std::size_t>(gl::update_numbers));
    std::ranges::copy(fixed, numbers_now.begin());
    std::ranges::copy(shares, numbers_now.begin() + gl::update_numbers);
    numbers.write(0, numbers_now.data(), numbers.cells());
}

void GlTraining::step(float learning_rate, std::span<const float> shares) {
    Impl& t = *impl_;
    if (t.pending == most_pending) throw Error("eight reports of training steps were not taken; call poll() or wait()");
    if (shares.size() != t.running.size()) throw Error("a step needs a share for each running statistic");
    ++t.updates;
    t.write_numbers(learning_rate, shares);
    t.run().run_forward();
    t.run().run_backward();
    t.update.replay(0, t.update.size());
    t.parameters->changed_on_gpu();
    t.queue_report();
    gl::check_errors("in a training step");
}

// Each step has its own buffer, so that reading it does not wait for later steps.
void GlTraining::Impl::queue_report() {
    Pending& p = ring[(oldest + pending++) % ring.size()];
    glBindBuffer(GL_COPY_READ_BUFFER, report.id());
    glBindBuffer(GL_COPY_WRITE_BUFFER, p.cells.id());
    glCopyBufferSubData(GL_COPY_READ_BUFFER, GL_COPY_WRITE_BUFFER, 0, 0, gl::report_cells * 4);
    p.step = updates;
    p.fence = glFenceSync(GL_SYNC_GPU_COMMANDS_COMPLETE, 0);
    glFlush();
}

GlTraining::Report GlTraining::Impl::take() {
    Pending& p = ring[oldest];
    float cells[gl::report_cells];
    p.cells.read(0, cells, gl::report_cells);
    glDeleteSync(p.fence);
    p.fence = nullptr;
    oldest = (oldest + 1) % ring.size();
    --pending;
    return {p.step, cells[0], cells[1], cells[3] == 0.0f};
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
        throw Error("the model has {1} parameters; {2} were given", impl_->parameters->count(), flat.size());
    impl_->parameters->upload(flat);
    const float none[gl::report_cells] = {};
    impl_->report.write(0, none, gl::report_cells);
}

void GlTraining::read_parameters(std::span<float> flat) const {
    impl_->parameters->download(flat);
    gl::check_errors("while parameters were read");
}

void GlTraining::read_gradients(std::span<float> flat) const {
    impl_->parameters->download_gradients(flat);
    gl::check_errors("while gradients were read");
}

void GlTraining::set_moments(std::span<const float> m, std::span<const float> v, std::int64_t updates) {
    if (!m.empty() && impl_->m.id()) impl_->parameters->scatter(m, impl_->m);
    if (!v.empty() && impl_->v.id()) impl_->parameters->scatter(v, impl_->v);
    impl_->updates = updates;
}

void GlTraining::read_moments(std::span<float> m, std::span<float> v) const {
    if (!m.empty() && impl_->m.id()) impl_->parameters->gather(impl_->m, m);
    if (!v.empty() && impl_->v.id()) impl_->parameters->gather(impl_->v, v);
}

std::int64_t GlTraining::updates() const { return impl_->updates; }

}  // namespace glassformer
