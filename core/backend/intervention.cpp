#include "core/backend/intervention.h"

#include <algorithm>

#include "core/base/error.h"

namespace glassformer {

void check_intervention(const Graph& graph, const Plan& plan, const Intervention& i) {
    if (std::ranges::find(plan.forward(), i.node) == plan.forward().end() || plan.value_offset(i.node) == Plan::nowhere)
        throw Error("an intervention needs an op that is run; node " + std::to_string(i.node) + " is not");
    const std::int64_t cells = graph[i.node].shape.elements();
    std::int64_t count = 0;
    for (const Intervention::Range& r : i.ranges) {
        if (r.offset < 0 || r.count < 0 || r.offset > cells || r.count > cells - r.offset)
            throw Error("an intervention reaches beyond the " + std::to_string(cells) + " cells of " +
                        graph[i.node].name);
        count += r.count;
    }
    if (count != static_cast<std::int64_t>(i.values.size()))
        throw Error("an intervention on " + graph[i.node].name + " names " + std::to_string(count) +
                    " cells and gives " + std::to_string(i.values.size()) + " values");
}

}  // namespace glassformer
