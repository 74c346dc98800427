#pragma once

#include <functional>
#include <map>
#include <string>

#include "core/trace/trace.h"

namespace glassformer {

/// How well the explanations of one kind of op agree with what the model computed.
struct ExplanationCheck {
    std::int64_t cells = 0;      ///< of all nodes of this kind
    std::int64_t checked = 0;    ///< cells that were explained and computed again
    double largest_error = 0.0;  ///< relative to the numbers that were rounded on the way
    std::string where;           ///< the cell with that error
};

/// Is told of every cell that was looked at: the kind of op, what was found of it so far, and whether that is all of
/// it. False ends the check.
using WatchCheck = std::function<bool(const std::string& op, const ExplanationCheck& found, bool all)>;

/// Explains random cells of every kind of op in the trace, up to `cells` each, and computes them again in double from
/// their operands. The same seed looks at the same cells.
std::map<std::string, ExplanationCheck> check_explanations(const Trace& trace, int cells, std::uint64_t seed,
                                                           const WatchCheck& watch = nullptr);

/// What a value computed in float32 may differ by, relative to the numbers that were rounded on the way.
inline constexpr double explanation_tolerance = 1e-5;

/// How far two traces of one input are apart, as two backends computed them.
struct TraceDifference {
    int compared = 0;  ///< nodes: every op but views and losses
    double largest =
        0.0;            ///< of a node's values, as a share of their root mean square; equal infinities count as equal
    std::string where;  ///< the node with that difference; empty where there is none
};

/// Throws Error when the traces are of different graphs.
TraceDifference difference_of(const Trace& expected, const Trace& given);

/// What two backends may differ by: they add in other orders.
inline constexpr double trace_tolerance = 1e-3;

}  // namespace glassformer
