#include <doctest/doctest.h>

#include <algorithm>

#include "core/analysis/trace_checks.h"
#include "core/ops/op.h"
#include "tests/core/small_models.h"

using namespace glassformer;
using namespace glassformer::testing;

TEST_CASE("explanation check: counts the cells of each kind of op, checks as many as asked, and all agree") {
    for (const auto& model : small_models()) {
        INFO(model->name);
        const auto trace = model->trace(sentence_a);
        const auto checks = check_explanations(*trace, 7, 3);
        CHECK_FALSE(checks.empty());
        for (const auto& [op, check] : checks) {
            INFO(op);
            std::int64_t cells = 0;
            for (const NodeInfo& info : trace->graph().nodes())
                if (info.kind == NodeInfo::Kind::op && !info.op->is_view() && info.op->name() == op)
                    cells += info.shape.elements();
            CHECK(check.cells == cells);
            CHECK(check.checked == std::min<std::int64_t>(7, cells));
            CHECK(check.largest_error < explanation_tolerance);
        }
    }
}

TEST_CASE("explanation: the formula of a sinusoidal position contains its own numbers") {
    int found = 0;
    for (const auto& model : small_models()) {
        INFO(model->name);
        const auto trace = model->trace(sentence_a);
        for (int node = 0; node < static_cast<int>(trace->graph().nodes().size()); ++node) {
            const NodeInfo& info = trace->graph()[node];
            if (info.kind != NodeInfo::Kind::op || info.op->name() != "sinusoidal_positions") continue;
            const std::int64_t width = info.shape.back();
            REQUIRE(width >= 4);
            const Explanation e = trace->explain({node, 2 * width + 3});  // position 2, the cosine of the second pair
            CHECK(e.numbers.starts_with("cos(2 / 10000^(2/" + std::to_string(width) + "))"));
            ++found;
        }
    }
    CHECK(found > 0);
}
