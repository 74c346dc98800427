#pragma once

#include <algorithm>
#include <string_view>
#include <vector>

#include "core/backend/gl/recorder.h"
#include "core/base/error.h"
#include "core/ops/op.h"

/// To add an op on the GPU:
///   1. Write shaders/compute/<op>.comp and, if a gradient flows, <op>_backward.comp (GLSL 4.30 core, no extensions).
///      A shader reads its operands from blocks and its constants from one uniform block:
///
///          layout(local_size_x = 64) in;
///          layout(std430) readonly buffer x_block { float x[]; };
///          layout(std430) buffer y_block { float y[]; };
///          layout(std140) uniform Dispatch { uint x_first, y_first, count; float factor; };
///          #include "include/cells.glsl"
///          void main() { FOR_CELLS(i, count) y[y_first + i] = factor * x[x_first + i]; }
///
///      <name>_first is where the operand begins in its buffer; the recorder sets it. Never use `restrict`: operands
///      share one buffer and, if the op is in_place(), one place. exp, log, tanh and erf come from
///      include/elementary.glsl, because those of the drivers are not precise enough. A slot with a gradient has
///      <name>_add: add to what is there, or overwrite every cell. Dispatch::loops() states how often an invocation
///      runs loops whose length depends on a tensor: a driver may leave a long loop early without an error.
///   2. In core/backend/gl/ops, beside related ops, write a function that records the dispatches from a GlStep, and
///      the op's row, at the start of a line:
///          extern const GlOp gl_<op>{"<op>", forward, backward};
///      CMake builds the table from these rows. The op's settings are read with attribute(step.op, "epsilon")
///      (core/ops/op.h).
///   3. Add a row to tests/gl/op_cases.cpp; the tests there compare it with the CPU at odd sizes.
/// The recorder works out the barriers between dispatches from what each one reads and writes.
namespace glassformer::gl {

/// How many of `lines` lines of `cells` cells a shader can see at once; a multiple of `multiple` if it is not all of
/// them. Throws Error if fewer than `multiple` fit.
inline std::int64_t lines_at_once(const Recorder& gl, std::int64_t lines, std::int64_t cells,
                                  std::int64_t multiple = 1) {
    const std::int64_t most = gl.device().most_cells() / std::max<std::int64_t>(cells, 1);
    if (most >= lines) return std::max<std::int64_t>(lines, 1);
    if (most < multiple)
        throw Error("a line of {1} cells is larger than this driver's shaders can read; use --backend cpu", cells);
    return most / multiple * multiple;
}

/// The same for an invocation that walks down the lines: no more lines than its loops may run.
inline std::int64_t lines_to_walk(const Recorder& gl, std::int64_t lines, std::int64_t cells) {
    return std::min(lines_at_once(gl, lines, cells), gl.device().most_iterations);
}

/// Calls body(first, count) for consecutive parts of 0 … all − 1, each of at most `most`.
template <class Body>
void each_part(std::int64_t all, std::int64_t most, const Body& body) {
    for (std::int64_t first = 0; first < all; first += most) body(first, std::min(most, all - first));
}

/// Values on the GPU, with their shape.
struct GlTensor {
    Span span;  // empty if the op declares that it does not read it
    Shape shape;
};

/// Where the gradient of one input goes; an empty span if nobody needs it.
struct GlSlot {
    Span span;
    bool accumulate = false;
};

/// One op of a graph, as in BackwardArgs (forward: without output_gradient and slots).
struct GlStep {
    const Op& op;
    std::vector<GlTensor> inputs;
    GlTensor output, output_gradient;
    std::vector<GlSlot> gradients;
};

using RecordFunction = void (*)(Recorder&, const GlStep&);

/// An op's two passes; backward is null if no gradient flows.
struct GlOp {
    std::string_view name;
    RecordFunction forward = nullptr, backward = nullptr;
};

/// The op with that name, or null if it has no shader yet. Views and ops without inputs need none: a view does nothing,
/// and an op without inputs is computed once on the CPU.
const GlOp* find_gl_op(std::string_view name);

/// sum[c] (+)= Σ_r x[r, c] over the rows of x [rows, columns]: the gradient of a bias.
void record_column_sums(Recorder& gl, const Span& x, std::int64_t rows, std::int64_t columns, const GlSlot& sum);
/// Sets every cell of `target` to `value`.
void record_fill(Recorder& gl, const Span& target, double value);
/// Sets broken[0] to 1 if a cell of x is not finite. Checks of several tensors may overlap.
void record_finite(Recorder& gl, const Span& x, const Span& broken);
/// y (+)= factor · x, cell by cell.
void record_scaled(Recorder& gl, const Span& x, const GlSlot& y, double factor);
/// y (+)= x, cell by cell. Records nothing if both are the same memory.
void record_copy(Recorder& gl, const Span& x, const GlSlot& y);

}  // namespace glassformer::gl
