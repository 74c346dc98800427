#include "core/trace/slices.h"

#include <algorithm>

#include "core/trace/trace.h"

namespace glassformer {

SliceAxis::SliceAxis(const Graph& graph, int node) {
    const Shape& shape = graph[node].shape;
    const int axis = has_batch_axis(graph, node) ? 1 : 0;
    if (shape.rank() > axis) count = shape[axis];
    width = shape.elements() / std::max<std::int64_t>(count, 1);
}

}  // namespace glassformer
