#include "core/backend/intervention.h"

#include <algorithm>

#include "core/base/error.h"

namespace glassformer {

void check_intervention(const Graph& graph, const Plan& plan, const Intervention& i) {
    if (std::ranges::find(plan.forward(), i.node) == plan.forward().end() || plan.value_offset(i.node) == Plan::nowhere)
        throw Error("an intervention needs an op that is run; node " + std::to_string(i.node) + " is not");
    require_cells(graph, i);
}

}  // namespace glassformer
