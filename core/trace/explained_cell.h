#pragma once

#include <span>
#include <vector>

#include "core/trace/trace.h"

namespace glassformer {

/// What an op is shown to explain a cell: its inputs and its output in their full shapes. Of nodes that are not there
/// only the slices are made that Op::reads() names for this cell; the rest of such a node is not there to be read.
class ExplainedCell {
public:
    ExplainedCell(const Trace& trace, const Cell& cell);

    std::span<const ConstView> inputs() const { return inputs_; }
    ConstView output() const { return output_; }

private:
    ConstView show(const Trace& trace, int node, Slices slices);

    std::vector<TracePart> held_;
    std::vector<ConstView> inputs_;
    ConstView output_;
};

}  // namespace glassformer
