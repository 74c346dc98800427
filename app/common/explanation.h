#pragma once

#include <string>
#include <vector>

#include "app/common/frame.h"

/// The content of the panel "Where does this number come from?", without the drawing. Every number is from the trace or
/// Trace::explain.
namespace glassformer::app {

/// The number explained in one frame.
struct Explained {
    TracedCell at;
    Explanation whole;  // of the number itself
    /// For an attention weight or score: the steps from it down to q · k (softmax or hardmax, masks, distance, scale,
    /// attention_scores), starting with `whole`. Empty for every other number.
    std::vector<Explanation> chain;

    /// The explanation whose terms are charted.
    const Explanation& charted() const { return chain.empty() ? whole : chain.back(); }
    /// The step of the chain that is a share of a sum (softmax), or null.
    const Explanation* share() const;
};

/// Explains the number at `at` in its trace.
Explained explained(const Trace& trace, const TracedCell& at);

/// True if the model computed this number (else it is a parameter, an input or overwritten).
inline bool was_made(const Explanation& e) { return !e.op.empty(); }
/// Maps a cell of a merged view to the same memory under the name that people know: its heads' cell.
Cell known_as(const Trace& trace, const Cell& cell);
/// The operand to open when a term is clicked. Of multiplied operands, a computed one goes before a learned one, then
/// the larger; else the first one opens. −1 if there are none.
int larger_operand(const Trace& trace, const Explanation& e, int term);
/// Finds the most informative operand: that of the term with the largest contribution (for a softmax, its own score).
/// Returns false if there is none.
bool deepest_operand(const Trace& trace, const Explanation& e, Cell& cell);

/// True if the recomputed value agrees with the traced one, to 1e-4 of the largest number that went into it.
bool agrees(const Explanation& e);
/// True if this term's operands are multiplied (else they are listed side by side).
bool multiplies(const Explanation& e, const Explanation::Term& term);
/// The sum of the terms, if the number is a function of that sum and not the sum itself: "adding up to 0.83, inside
/// tanh". Empty otherwise.
std::string sum_inside(const Explanation& e);

/// "0.55", "−1.08", "0.0312" with a real minus sign.
std::string shown(double value);
/// A cell's number; a token ID is printed as a whole number: "25".
std::string shown(const Trace& trace, const Cell& cell);
/// A number with few decimals, for rows of many numbers: "0.031".
std::string brief(double value);
/// With enough digits to compare: "0.5512".
std::string precise(double value);
std::string precise(const Trace& trace, const Cell& cell);
/// Replaces hyphens by minus signs, as a book prints them.
std::string typographic(std::string text);
/// "block 0 · head 3 · softmax".
std::string place(const Trace& trace, const Explanation& e);
/// "q[bat, 6] · k[foul, 6] = 1.20 · 3.40 = 4.08".
std::string term_text(const Frame& frame, int slot, const Explanation& e, int term);
/// The whole explanation as plain text, for the clipboard.
std::string plain_text(const Frame& frame, const Trace& trace, const Explained& x);
/// How a parameter of a card's model got its value: "initialized to N(0, 0.08), then trained for 500 training steps".
std::string history(const Frame& frame, int slot, const NodeInfo& parameter);

}  // namespace glassformer::app
