#pragma once

#include <algorithm>
#include <span>
#include <string_view>
#include <vector>

#include "core/backend/gl/recorder.h"
#include "core/base/error.h"
#include "core/ops/op.h"

/// How an op gets onto the GPU:
///   1. shaders/compute/<op>.comp and, where a gradient flows, <op>_backward.comp (GLSL 4.30 core, no extensions).
///      A shader reads its operands from blocks and its numbers from one uniform block:
///
///          layout(local_size_x = 64) in;
///          layout(std430) readonly buffer x_block { float x[]; };
///          layout(std430) buffer y_block { float y[]; };
///          layout(std140) uniform Dispatch { uint x_first, y_first, count; float factor; };
///          #include "include/cells.glsl"
///          void main() { FOR_CELLS(i, count) y[y_first + i] = factor * x[x_first + i]; }
///
///      <name>_first is where the operand begins in its buffer; the recorder sets it. Never `restrict`: operands lie
///      in one buffer, and where the op is in_place(), in one place. exp, log, tanh, erf come from
///      include/elementary.glsl, since drivers' own are not precise enough. A slot with a gradient has <name>_add: add
///      to what is there, or overwrite every cell of it. How often an invocation runs loops that are as long as a
///      tensor is given by Dispatch::loops(): a driver may leave a long one before its end and say nothing.
///   2. in core/backend/gl/ops, beside its relatives: a function that records the dispatches from a GlStep, and the
///      op's row, at the start of a line,
///          extern const GlOp gl_<op>{"<op>", forward, backward};
///      CMake makes the table of these rows. What the op was made with is attribute(step.op, "epsilon")
///      (core/ops/op.h).
///   3. a row in tests/gl/op_cases.cpp; the tests there compare it with the CPU at odd sizes.
/// Barriers between dispatches are found by the recorder from what each one reads and writes.
namespace glassformer::gl {

/// So many lines of that many cells can be seen by a shader at once, a multiple of `multiple` where it is fewer than
/// there are. Throws Error when not even so many can.
inline std::int64_t lines_at_once(const Recorder& gl, std::int64_t lines, std::int64_t cells,
                                  std::int64_t multiple = 1) {
    const std::int64_t most = gl.device().most_cells() / std::max<std::int64_t>(cells, 1);
    if (most >= lines) return std::max<std::int64_t>(lines, 1);
    if (most < multiple)
        throw Error("a line of {1} cells is larger than this driver's shaders can read; use --backend cpu", cells);
    return most / multiple * multiple;
}

/// The same where an invocation walks down the lines: no more of them than its loops run.
inline std::int64_t lines_to_walk(const Recorder& gl, std::int64_t lines, std::int64_t cells) {
    return std::min(lines_at_once(gl, lines, cells), gl.device().most_iterations);
}

/// Calls body(first, count) for parts of 0 … all − 1 of at most `most` each.
template <class Body>
void each_part(std::int64_t all, std::int64_t most, const Body& body) {
    for (std::int64_t first = 0; first < all; first += most) body(first, std::min(most, all - first));
}

/// Values with their shape, somewhere on the GPU.
struct GlTensor {
    Span span;  // empty where the op says that it does not read it
    Shape shape;
};

/// Where the gradient of one input goes; an empty span where nobody needs it.
struct GlSlot {
    Span span;
    bool accumulate = false;
};

/// One op of a graph, as BackwardArgs has it (forward: no output_gradient, no slots).
struct GlStep {
    const Op& op;
    std::vector<GlTensor> inputs;
    GlTensor output, output_gradient;
    std::vector<GlSlot> gradients;
};

using RecordFunction = void (*)(Recorder&, const GlStep&);

/// An op's two halves; backward is null where no gradient flows.
struct GlOp {
    std::string_view name;
    RecordFunction forward = nullptr, backward = nullptr;
};

/// The op of that name, or null when it has no shader yet. Views and ops without inputs need none: those are nothing to
/// do, and computed once on the CPU.
const GlOp* find_gl_op(std::string_view name);

/// sum[c] (+)= Σ_r x[r, c] over the rows of x [rows, columns]: what a bias gathers.
void record_column_sums(Recorder& gl, const Span& x, std::int64_t rows, std::int64_t columns, const GlSlot& sum);
/// Every cell of `target` becomes `value`.
void record_fill(Recorder& gl, const Span& target, double value);
/// broken[0] becomes 1 where a cell of x is not finite. Checks of several tensors may overlap.
void record_finite(Recorder& gl, const Span& x, const Span& broken);
/// y (+)= factor · x, cell by cell.
void record_scaled(Recorder& gl, const Span& x, const GlSlot& y, double factor);
/// y (+)= x, cell by cell. Nothing is recorded where both lie in one place.
void record_copy(Recorder& gl, const Span& x, const GlSlot& y);

}  // namespace glassformer::gl
