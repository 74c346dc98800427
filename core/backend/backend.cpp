#include "core/backend/backend.h"

#include <algorithm>

#include "core/base/error.h"

namespace glassformer {

void require_cells(const Graph& graph, const Intervention& intervention) {
    const NodeInfo& info = graph[intervention.node];
    const std::int64_t cells = info.shape.elements();
    std::int64_t count = 0;
    for (const Intervention::Range& r : intervention.ranges) {
        if (r.offset < 0 || r.count < 0 || r.offset > cells || r.count > cells - r.offset)
            throw Error("an intervention reaches beyond the {1} cells of {2}", cells, info.name);
        count += r.count;
    }
    if (count != static_cast<std::int64_t>(intervention.values.size()))
        throw Error("an intervention on {1} names {2} cells and gives {3} values", info.name, count,
                    intervention.values.size());
}

void check_intervention(const Graph& graph, const Plan& plan, const Intervention& i) {
    if (std::ranges::find(plan.forward(), i.node) == plan.forward().end() || plan.value_offset(i.node) == Plan::nowhere)
        throw Error("an intervention needs an op that is run; node {1} is not", i.node);
    require_cells(graph, i);
}

}  // namespace glassformer
