#pragma once

#include <functional>
#include <map>
#include <string>

#include "core/trace/trace.h"

namespace glassformer {

/// How well the explanations of one kind of op agree with what the model computed.
struct ExplanationCheck {
    std::int64_t cells = 0;      ///< in all nodes of this kind
    std::int64_t checked = 0;    ///< cells explained and recomputed
    double largest_error = 0.0;  ///< relative to the size of the numbers rounded on the way
    std::string where;           ///< the cell with that error
};

/// Called after every checked cell with the kind of op, the result so far, and whether that is the final one for this
/// kind. Return false to end the check.
using WatchCheck = std::function<bool(const std::string& op, const ExplanationCheck& found, bool all)>;

/// Explains up to `cells` random cells of every kind of op in the trace and recomputes each in double from its
/// operands. The same seed checks the same cells.
std::map<std::string, ExplanationCheck> check_explanations(const Trace& trace, int cells, std::uint64_t seed,
                                                           const WatchCheck& watch = nullptr);

/// How far a value computed in float32 may be off, relative to the size of the numbers rounded on the way.
inline constexpr double explanation_tolerance = 1e-5;

/// How far apart two traces of the same input are, as computed by two backends.
struct TraceDifference {
    int compared = 0;      ///< nodes: every op except views and losses
    double largest = 0.0;  ///< relative to the node's root mean square; equal infinities count as equal
    std::string where;     ///< the node with that difference; empty if there is none
};

/// Throws Error if the traces are of different graphs.
TraceDifference difference_of(const Trace& expected, const Trace& given);

/// How far apart two backends may be: they add in different orders.
inline constexpr double trace_tolerance = 1e-3;

}  // namespace glassformer
