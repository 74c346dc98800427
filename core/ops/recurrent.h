#pragma once

// What the recurrent ops share. Their steps follow one another, so work is cut into groups of sentences, and each group
// walks through its own steps.

#include "core/base/aligned.h"
#include "core/ops/kernel.h"
#include "core/ops/op.h"
#include "core/ops/product_pieces.h"

namespace glassformer::kernel {

/// Memory that a kernel needs beside its output. It belongs to the calling thread and only grows, so that training
/// allocates nothing after the first step; a kernel asks once, for all that it needs, and lends it to its pieces.
inline float* scratch(std::int64_t floats) {
    thread_local AlignedFloats memory;
    if (static_cast<std::int64_t>(memory.size()) < floats) memory = AlignedFloats(static_cast<std::size_t>(floats));
    return memory.data();
}

/// Sentences per piece of work: a register tile or two of rows at each step.
constexpr std::int64_t recurrent_grain = 16;

/// `count` sentences from `first` on, of [B, P, ..] memory.
struct Sentences {
    std::int64_t first, count, positions;

    std::int64_t row(std::int64_t sentence, std::int64_t p) const { return (first + sentence) * positions + p; }
    /// Their rows at position p: [count, width].
    Operand rows_at(std::int64_t p, const float* data, std::int64_t width) const {
        return {data + row(0, p) * width, count, width, positions * width, 1};
    }
    /// The same rows, to add a product to.
    Target added_at(std::int64_t p, float* data, std::int64_t width) const {
        return {data + row(0, p) * width, positions * width, true};
    }
};

/// Calls body(sentences) with each group.
template <class Body>
void for_sentences(ThreadPool& pool, const Shape& states, const Body& body) {
    for_ranges(pool, states[0], recurrent_grain, [&](std::int64_t begin, std::int64_t end) {
        body(Sentences{begin, end - begin, states[1]});
    });
}

/// previous[b, p] = states[b, p − 1], zeros at the first position.
inline void copy_previous(const Sentences& s, const float* states, std::int64_t width, float* previous) {
    for (std::int64_t i = 0; i < s.count && s.positions > 0; ++i) {
        float* row = previous + s.row(i, 0) * width;
        std::fill_n(row, width, 0.0f);
        std::copy_n(states + s.row(i, 0) * width, (s.positions - 1) * width, row + width);
    }
}

/// What the weights of a recurrent layer gather over all steps: dW = previousᵀ·d, db = Σ d, for previous [rows, D] and
/// d [rows, width]. Every piece owns some cells, which it sums in the order of the rows.
inline void recurrent_weight_gradients(ThreadPool& pool, const Operand& previous, const Operand& d,
                                       const GradientSlot& dw, const GradientSlot& db) {
    const DeepPieces dw_pieces(dw.data ? previous.columns : 0, d.columns);
    const Pieces db_pieces(db.data ? d.columns : 0, sum_columns);
    const PackingTicket packing = new_packing(dw_pieces.columns.count);
    pool.run(dw_pieces.count + db_pieces.count, [&](std::int64_t piece) {
        if (piece < dw_pieces.count) {
            multiply_deep({dw.data, d.columns, dw.accumulate}, previous.transposed(), d, dw_pieces, piece, packing);
        } else {
            const auto [begin, count] = db_pieces[piece - dw_pieces.count];
            sum_rows(d.data + begin, d.rows, d.columns, count, db.data + begin, db.accumulate);
        }
    });
}

}  // namespace glassformer::kernel
