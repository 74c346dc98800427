#include <algorithm>

#include "core/backend/gl/fused_attention.h"
#include "core/backend/gl/gl_ops.h"
#include "core/base/ceil_div.h"

namespace glassformer::gl {

namespace {

/// Which rows walk over which: the rows whose results are computed, the rows that they are compared with, and the
/// value-width rows that belong to each.
struct Sides {
    Span own, own_values, other, other_values, result;
    bool accumulate = false;
};

struct Sizes {
    std::int64_t batch, queries, keys, heads, head_width, value_width;
    explicit Sizes(const GlStep& s)
        : batch(s.inputs[0].shape[0]),
          queries(s.inputs[0].shape[1]),
          keys(s.inputs[1].shape[1]),
          heads(s.inputs[0].shape[2]),
          head_width(s.inputs[0].shape[3]),
          value_width(s.inputs[2].shape[3]) {}
};

/// True if every row starts at a multiple of four cells and its length is a multiple of four.
bool by_four(const Sizes& n, const Sides& sides) {
    std::int64_t all = n.head_width | n.value_width;
    for (const Span& span : {sides.own, sides.own_values, sides.other, sides.other_values, sides.result})
        all |= span.offset;
    return all % 4 == 0;
}

// On a CPU, more rows per invocation mean fewer reads of the other side. A graphics card lacks the registers for that,
// and reads the other side once per work group.
void record_side(Recorder& gl, const GlStep& s, Dispatch&& d, const Sides& sides, std::int64_t own_count) {
    const Sizes n(s);
    const bool processor = gl.tuning().lanes == 1;
    const int rows = processor ? 4 : 1, group = processor ? 8 : 64;
    d.define("ROWS", rows).define("GROUP", group).define("QUADS", by_four(n, sides));
    d.define("HEAD_QUADS", static_cast<int>(ceil_div(n.head_width, 4)));
    d.define("VALUE_QUADS", static_cast<int>(ceil_div(n.value_width, 4)));
    const bool masked = s.inputs.size() > 4;
    d.define("ALIBI", attribute(s.op, "alibi") != 0.0).define("CAUSAL", attribute(s.op, "causal") != 0.0);
    d.define("MASKED", masked);
    d.in("own", sides.own).in("other", sides.other).in("other_values", sides.other_values);
    if (sides.own_values)
        d.in("own_values", sides.own_values);
    else
        d.set("own_values_first", 0);
    if (masked)
        d.in("keep", s.inputs[4].span);
    else
        d.set("keep_first", 0);
    d.add_to("result", sides.result, sides.accumulate);
    d.set("heads", n.heads).set("queries", n.queries).set("keys", n.keys);
    d.set("head_width", n.head_width).set("value_width", n.value_width).set("factor", attribute(s.op, "factor"));
    d.loops(fused_iterations(std::max(n.queries, n.keys), n.head_width, n.value_width));
    d.groups(ceil_div(own_count, std::int64_t{rows} * group), 1, n.batch * n.heads);
}

void attention(Recorder& gl, const GlStep& s) {
    Dispatch d = gl.dispatch("attention");
    d.out("rows", s.inputs[3].span);
    record_side(gl, s, std::move(d), {s.inputs[0].span, {}, s.inputs[1].span, s.inputs[2].span, s.output.span},
                Sizes(s).queries);
}

void attention_backward(Recorder& gl, const GlStep& s) {
    const Sizes n(s);
    const Span &q = s.inputs[0].span, &k = s.inputs[1].span, &v = s.inputs[2].span, &rows = s.inputs[3].span,
               &dz = s.output_gradient.span;
    const GlSlot &dq = s.gradients[0], &dk = s.gradients[1], &dv = s.gradients[2];
    if (dq.span || dk.span)
        gl.dispatch("attention_dots")
            .in("z", s.output.span)
            .in("dz", dz)
            .out("rows", rows)
            .set("heads", n.heads)
            .set("queries", n.queries)
            .set("width", n.value_width)
            .loops(n.value_width)
            .over_cells(n.batch * n.heads * n.queries);
    const auto gradient = [&](int which, const Sides& sides, std::int64_t own_count) {
        if (!sides.result) return;
        Dispatch d = gl.dispatch("attention_backward");
        d.define("GRADIENT", which).in("rows", rows);
        record_side(gl, s, std::move(d), sides, own_count);
    };
    gradient(0, {q, dz, k, v, dq.span, dq.accumulate}, n.queries);
    gradient(1, {k, v, q, dz, dk.span, dk.accumulate}, n.keys);
    gradient(2, {k, {}, q, dz, dv.span, dv.accumulate}, n.keys);
}

// Only reserves memory; the op attention fills it.
void attention_rows(Recorder&, const GlStep&) {}

Dispatch& with_sizes(Dispatch&& d, const GlStep& s, std::int64_t width) {
    return d.set("width", width).set("times", static_cast<std::int64_t>(attribute(s.op, "times")));
}

void repeat_heads(Recorder& gl, const GlStep& s) {
    with_sizes(gl.dispatch("repeat_heads"), s, s.output.shape[3])
        .in("x", s.inputs[0].span)
        .out("y", s.output.span)
        .over_cells(s.output.shape.elements());
}

void repeat_heads_backward(Recorder& gl, const GlStep& s) {
    const Shape& shape = s.output_gradient.shape;
    const auto cells = shape.elements() / static_cast<std::int64_t>(attribute(s.op, "times"));
    with_sizes(gl.dispatch("repeat_heads_backward"), s, shape[3])
        .in("dy", s.output_gradient.span)
        .add_to("dx", s.gradients[0].span, s.gradients[0].accumulate)
        .over_cells(cells);
}

void cache_row(Recorder& gl, const GlStep& s) {
    gl.dispatch("cache_row")
        .in("cache", s.inputs[0].span)
        .in("row", s.inputs[1].span)
        .in("position", s.inputs[2].span)
        .out("y", s.output.span)
        .set("width", s.inputs[1].shape.elements())
        .over_cells(s.output.shape.elements());
}

}  // namespace

extern const GlOp gl_attention{"attention", attention, attention_backward};
extern const GlOp gl_attention_rows{"attention_rows", attention_rows};

extern const GlOp gl_repeat_heads{"repeat_heads", repeat_heads, repeat_heads_backward};
extern const GlOp gl_cache_row{"cache_row", cache_row};

}  // namespace glassformer::gl
