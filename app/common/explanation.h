#pragma once

#include <string>
#include <vector>

#include "app/common/frame.h"

/// What the panel "Where does this number come from?" says, without how it is drawn. Every number is the trace's or
/// Trace::explain's.
namespace glassformer::app {

/// The explained number of one frame.
struct Explained {
    TracedCell at;
    Explanation whole;  // of the number itself
    /// An attention weight or score: the steps from it down to q · k (softmax or hardmax, masks, distance, scale,
    /// attention_scores), starting with `whole`; empty for every other number.
    std::vector<Explanation> chain;

    /// The explanation whose terms are charted.
    const Explanation& charted() const { return chain.empty() ? whole : chain.back(); }
    /// The step of the chain that is a share of a sum (softmax), or null.
    const Explanation* share() const;
};

/// Explains the number at `at` in its trace.
Explained explained(const Trace& trace, const TracedCell& at);

/// Whether the model made this number (else it is a parameter or an input).
inline bool was_made(const Explanation& e) { return !e.op.empty(); }
/// The same memory under the name that people know: a merged view's cell is its heads' cell.
Cell known_as(const Trace& trace, const Cell& cell);
/// The operand to open when a term is clicked: one that the model computed before one that it learned, then the
/// larger. −1 for no operands.
int larger_operand(const Trace& trace, const Explanation& e, int term);
/// The operand with most to say: of the term with the largest contribution (of a softmax its own score). False when
/// there is none.
bool deepest_operand(const Trace& trace, const Explanation& e, Cell& cell);

/// Whether the recomputed value agrees with the traced one: to 1e-4 of the largest number that went into it.
bool agrees(const Explanation& e);
/// Whether operands of this term are multiplied (else they stand beside each other).
bool multiplies(const Explanation& e, const Explanation::Term& term);
/// What the terms add up to, where the number is a function of that sum and not the sum itself: "adding up to 0.83,
/// inside tanh". Empty elsewhere.
std::string sum_inside(const Explanation& e);

/// "0.55", "−1.08", "0.0312" with a real minus sign.
std::string shown(double value);
/// The number of a cell; the place of a word in the vocabulary is no measure: "25".
std::string shown(const Trace& trace, const Cell& cell);
/// The same with few decimals, for rows of many numbers: "0.031".
std::string brief(double value);
/// Enough digits to compare: "0.5512".
std::string precise(double value);
std::string precise(const Trace& trace, const Cell& cell);
/// Minus signs as a book prints them.
std::string typographic(std::string text);
/// "block 0 · head 3 · softmax".
std::string place(const Trace& trace, const Explanation& e);
/// "q[bat, 6] · k[foul, 6] = 1.20 · 3.40 = 4.08".
std::string term_text(const Frame& frame, int slot, const Explanation& e, int term);
/// The whole explanation as plain text, for the clipboard.
std::string plain_text(const Frame& frame, const Trace& trace, const Explained& x);
/// How a parameter got its value: "it started as N(0, 0.08) noise and was changed by 500 training steps".
std::string history(std::int64_t step, const NodeInfo& parameter);

}  // namespace glassformer::app
