#include <doctest/doctest.h>

#include "core/analysis/head_scores.h"
#include "core/base/error.h"
#include "tests/core/small_models.h"

using namespace glassformer;
using namespace glassformer::testing;

namespace {

/// Σ over the bottleneck, cell by cell, from the learned matrices alone.
double product(const Trace& trace, const std::string& left, const std::string& right, bool right_transposed, int first,
               int width, int row, int column) {
    const int l = trace.graph().at(left), r = trace.graph().at(right);
    const auto l_columns = trace.graph()[l].shape[1], r_columns = trace.graph()[r].shape[1];
    double sum = 0;
    for (int i = first; i < first + width; ++i) {
        const auto a = static_cast<std::size_t>(row * l_columns + i),
                   b = static_cast<std::size_t>(right_transposed ? column * r_columns + i : i * r_columns + column);
        sum += static_cast<double>(trace.values(l)[a]) * static_cast<double>(trace.values(r)[b]);
    }
    return sum;
}

}  // namespace

TEST_CASE("a head's circuits are the products of its own weights, and their rank is its width") {
    const auto model = small_model("encoder", [](TransformerConfig& c) { c.attention.d_value = 2; });
    const auto trace = model->trace({1, 2, 3, 4});
    const std::string prefix = "blocks.1.attn.";
    REQUIRE(has_circuits(*trace, prefix));
    for (int head = 0; head < 3; ++head) {
        const HeadCircuits found = head_circuits(*trace, prefix, head);
        CHECK(found.bottleneck == 4);
        CHECK(found.value_bottleneck == 2);
        CHECK(found.query_key.rank == 4);
        CHECK(found.value_output.rank == 2);
        REQUIRE(found.query_key.rows == 12);
        REQUIRE(found.query_key.columns == 12);
        for (int row = 0; row < 12; ++row)
            for (int column = 0; column < 12; ++column) {
                const std::size_t at = row * 12 + column;
                CHECK(static_cast<double>(found.query_key.values[at]) ==
                      doctest::Approx(product(*trace, prefix + "W_Q", prefix + "W_K", true, head * 4, 4, row, column))
                          .epsilon(1e-5));
                CHECK(static_cast<double>(found.value_output.values[at]) ==
                      doctest::Approx(product(*trace, prefix + "W_V", prefix + "W_O", false, head * 2, 2, row, column))
                          .epsilon(1e-5));
            }
        // The squares of the singular values add up to those of the cells.
        double cells = 0, singular = 0;
        for (const float v : found.query_key.values) cells += static_cast<double>(v) * static_cast<double>(v);
        for (const double v : found.query_key.singular) singular += v * v;
        CHECK(singular == doctest::Approx(cells).epsilon(1e-5));
    }
    CHECK_THROWS_AS(head_circuits(*trace, prefix, 3), Error);
}

TEST_CASE("attention without matrices has no circuits, and one matrix for all roles a symmetric one") {
    const auto none = small_model("none", [](TransformerConfig& c) { c.attention.projections = Projections::none; });
    const auto trace = none->trace({1, 2, 3});
    CHECK_FALSE(has_circuits(*trace, "blocks.0.attn."));
    CHECK_THROWS_AS(head_circuits(*trace, "blocks.0.attn.", 0), Error);
    const auto shared =
        small_model("shared", [](TransformerConfig& c) { c.attention.projections = Projections::shared; });
    const auto shared_trace = shared->trace({1, 2, 3});
    const Circuit circuit = head_circuits(*shared_trace, "blocks.0.attn.", 1).query_key;
    for (int row = 0; row < 12; ++row)
        for (int column = 0; column < row; ++column)
            CHECK(circuit.values[row * 12 + column] == circuit.values[column * 12 + row]);
}

TEST_CASE("of a rotary head W_Q·W_Kᵀ is the score at distance 0 alone, and it says that it is") {
    const auto model = small_model("rotary", [](TransformerConfig& c) {
        c.positions = Positions::rotary, c.attention.biases = false, c.attention.d_head = 4;
    });
    const auto trace = model->trace({1, 2, 3, 4});
    const std::string prefix = "blocks.1.attn.";
    const HeadCircuits found = head_circuits(*trace, prefix, 1);
    CHECK(found.rotary);
    CHECK_FALSE(found.qk_norm);
    CHECK_FALSE(found.biases);
    // What attention reads, times the circuit, times what it reads: x · W_Q · W_Kᵀ · xᵀ.
    const Graph& graph = trace->graph();
    const int read = graph[graph.at(prefix + "q_merged")].inputs[0], scores = graph.at(prefix + "hook_attn_scores_raw");
    const auto score = [&](int query, int key) {
        double sum = 0;
        for (int row = 0; row < 12; ++row)
            for (int column = 0; column < 12; ++column)
                sum += static_cast<double>(trace->values(read)[query * 12 + row]) *
                       static_cast<double>(found.query_key.values[row * 12 + column]) *
                       static_cast<double>(trace->values(read)[key * 12 + column]);
        return sum;
    };
    const auto traced = [&](int query, int key) {
        return static_cast<double>(trace->values(scores)[(1 * 4 + query) * 4 + key]);
    };
    for (int word = 0; word < 4; ++word) CHECK(traced(word, word) == doctest::Approx(score(word, word)).epsilon(1e-4));
    CHECK(traced(0, 3) != doctest::Approx(score(0, 3)).epsilon(1e-4));
    const auto plain = small_model("plain", [](TransformerConfig&) {});
    const HeadCircuits other = head_circuits(*plain->trace({1, 2, 3, 4}), prefix, 1);
    CHECK_FALSE(other.rotary);
    CHECK(other.biases);
}
