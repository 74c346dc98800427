#include "core/analysis/head_circuits.h"

#include <doctest/doctest.h>

#include "core/base/error.h"
#include "tests/core/small_models.h"

using namespace glassformer;
using namespace glassformer::testing;

namespace {

/// Returns one cell of the product, summed over the bottleneck from the learned matrices alone.
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

TEST_CASE("a head's QK and OV circuits are products of its weights, with ranks d_k and d_v") {
    const auto model = small_model("encoder", [](TransformerConfig& c) { c.attention.d_value = 2; });
    const auto trace = model->trace({1, 2, 3, 4});
    const std::string prefix = "blocks.1.attn.";
    REQUIRE(has_circuits(trace->graph(), prefix));
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
        // The squared singular values add up to the squared cells.
        double cells = 0, singular = 0;
        for (const float v : found.query_key.values) cells += static_cast<double>(v) * static_cast<double>(v);
        for (const double v : found.query_key.singular) singular += v * v;
        CHECK(singular == doctest::Approx(cells).epsilon(1e-5));
    }
    CHECK_THROWS_AS(head_circuits(*trace, prefix, 3), Error);
}

TEST_CASE("attention without projections has no circuits, and a shared projection makes the QK circuit symmetric") {
    const auto none = small_model("none", [](TransformerConfig& c) { c.attention.projections = Projections::none; });
    const auto trace = none->trace({1, 2, 3});
    CHECK_FALSE(has_circuits(trace->graph(), "blocks.0.attn."));
    CHECK_THROWS_AS(head_circuits(*trace, "blocks.0.attn.", 0), Error);
    const auto shared =
        small_model("shared", [](TransformerConfig& c) { c.attention.projections = Projections::shared; });
    const auto shared_trace = shared->trace({1, 2, 3});
    const Circuit circuit = head_circuits(*shared_trace, "blocks.0.attn.", 1).query_key;
    for (int row = 0; row < 12; ++row)
        for (int column = 0; column < row; ++column)
            CHECK(circuit.values[row * 12 + column] == circuit.values[column * 12 + row]);
}

TEST_CASE("a rotary head's W_Q·R·W_Kᵀ gives the score at each distance") {
    for (const bool halves : {false, true})
        for (const float share : {1.0f, 0.5f}) {
            const auto model = small_model("rotary", [&](TransformerConfig& c) {
                c.positions = Positions::rotary, c.attention.biases = false, c.attention.d_head = 4;
                c.rotary.halves = halves, c.rotary_pct = share;
            });
            const auto trace = model->trace({1, 2, 3, 4});
            const std::string prefix = "blocks.1.attn.";
            const Graph& graph = trace->graph();
            // The score is x · W_Q · R · W_Kᵀ · xᵀ, where x is what attention reads.
            const int read = graph[graph.at(prefix + "q_merged")].inputs[0],
                      scores = graph.at(prefix + "hook_attn_scores_raw");
            for (int query = 0; query < 4; ++query)
                for (int key = 0; key < 4; ++key) {
                    const HeadCircuits found = head_circuits(*trace, prefix, 1, query - key);
                    CHECK(found.rotary);
                    CHECK_FALSE(found.qk_norm);
                    CHECK_FALSE(found.biases);
                    double sum = 0;
                    for (int row = 0; row < 12; ++row)
                        for (int column = 0; column < 12; ++column)
                            sum += static_cast<double>(trace->values(read)[query * 12 + row]) *
                                   static_cast<double>(found.query_key.values[row * 12 + column]) *
                                   static_cast<double>(trace->values(read)[key * 12 + column]);
                    const auto traced = static_cast<double>(trace->values(scores)[(1 * 4 + query) * 4 + key]);
                    CHECK(std::abs(traced - sum) <= 1e-5);
                }
        }
    const auto plain = small_model("plain", [](TransformerConfig&) {});
    const auto trace = plain->trace({1, 2, 3, 4});
    const HeadCircuits other = head_circuits(*trace, "blocks.1.attn.", 1);
    CHECK_FALSE(other.rotary);
    CHECK(other.biases);
    CHECK(head_circuits(*trace, "blocks.1.attn.", 1, 3).query_key.values == other.query_key.values);
}

TEST_CASE("with q/k norm the QK circuit includes γ and the mean, and gives the scores up to the lengths of q and k") {
    for (const NormKind kind : {NormKind::layer_norm, NormKind::rms_norm}) {
        const auto model = small_model("q/k norm", [&](TransformerConfig& c) {
            c.attention.qk_norm = true, c.norm = kind, c.attention.biases = false;
        });
        const auto trace = model->trace({1, 2, 3, 4});
        const std::string prefix = "blocks.1.attn.";
        const Graph& graph = trace->graph();
        const int read = graph[graph.at(prefix + "q_merged")].inputs[0];
        const HeadCircuits found = head_circuits(*trace, prefix, 2);
        CHECK(found.qk_norm);
        const auto at = [&](const std::string& name, int i) {
            return static_cast<double>(trace->values(prefix + name)[i]);
        };
        for (int query = 0; query < 4; ++query)
            for (int key = 0; key < 4; ++key) {
                double sum = 0;
                for (int row = 0; row < 12; ++row)
                    for (int column = 0; column < 12; ++column)
                        sum += static_cast<double>(trace->values(read)[query * 12 + row]) *
                               static_cast<double>(found.query_key.values[row * 12 + column]) *
                               static_cast<double>(trace->values(read)[key * 12 + column]);
                // LayerNorm's β adds a part to q and k that no product of weights has: it is subtracted.
                const auto beta = [&](const char* of, int i) { return kind == NormKind::rms_norm ? 0.0 : at(of, i); };
                double traced = 0;
                for (int i = 0; i < 4; ++i)
                    traced += (at("q_norm.hook_out", (query * 3 + 2) * 4 + i) - beta("q_norm.b", i)) *
                              (at("k_norm.hook_out", (key * 3 + 2) * 4 + i) - beta("k_norm.b", i));
                const double lengths = at("q_norm.hook_scale", query * 3 + 2) * at("k_norm.hook_scale", key * 3 + 2);
                CHECK(std::abs(traced * lengths - sum) <= 1e-5);
            }
    }
}
