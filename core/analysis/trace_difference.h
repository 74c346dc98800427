#pragma once

#include <string>

#include "core/trace/trace.h"

namespace glassformer {

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
