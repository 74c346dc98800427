#include "core/backend/gl/update_commands.h"

#include <algorithm>

#include "core/backend/gl/gl_ops.h"
#include "core/base/ceil_div.h"

namespace glassformer::gl {

namespace {

constexpr std::int64_t partial_sums = 256;  // of the squares of a part
constexpr std::int64_t invocations = 64;    // of a group of these sums
constexpr std::int64_t block = 16;          // every parameter begins a new block of cells

/// Calls body(begin, count) for parts that a shader can see.
template <class Body>
void each_visible_part(const Recorder& gl, std::int64_t cells, const Body& body) {
    each_part(cells, lines_at_once(gl, cells, 1, block), body);
}

// A range may reach over several parameters, which do not lie side by side here.
void record_held(Recorder& gl, const UpdateOperands& on, std::span<const GlHeld> held) {
    for (const GlHeld& h : held)
        for (const Parameters::Place& p : on.parameters.places()) {
            const std::int64_t begin = std::max(h.offset, p.flat), end = std::min(h.offset + h.count, p.flat + p.cells);
            if (begin < end) record_fill(gl, on.parameters.gradient(p.node).part(begin - p.flat, end - begin), 0.0);
        }
}

// √ Σ g² in two stages, and the factor of clipping.
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
        d.in("numbers", on.numbers).in("report", on.report).set("count", count).over_cells(count);
    });
}

}  // namespace

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
            .set("count", on.running[i].second.cells)
            .over_cells(on.running[i].second.cells);
}

}  // namespace glassformer::gl
