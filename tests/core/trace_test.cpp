// What a trace keeps, and for how long.
#include <doctest/doctest.h>

#include <stdexcept>
#include <thread>

#include "core/backend/cpu/cpu_backend.h"
#include "core/trace/tracer.h"
#include "tests/core/error_of.h"
#include "tests/core/fresh_parameters.h"

using namespace glassformer;

namespace {

TransformerConfig small() {
    TransformerConfig c;
    c.d_vocab = 11, c.n_ctx = 8, c.d_model = 8, c.n_heads = 2, c.n_layers = 2, c.d_mlp = 12, c.init_std = 0.4f;
    return c;
}

/// A CPU backend that counts the executions it prepares.
class CountingBackend final : public Backend {
public:
    std::string description() const override { return cpu_.description(); }
    std::unique_ptr<Execution> prepare(std::shared_ptr<const Graph> graph, const PlanRequest& request) override {
        ++prepared;
        return cpu_.prepare(std::move(graph), request);
    }
    int prepared = 0;

private:
    CpuBackend cpu_{1};
};

std::vector<float> copy(std::span<const float> values) { return {values.begin(), values.end()}; }

}  // namespace

TEST_CASE("a trace stays unchanged when more are made, and when its tracer is gone") {
    CpuBackend backend(1);
    auto tracer = std::make_unique<Tracer>(backend, small());
    const auto first = tracer->trace({1, 2, 3}, fresh_parameters(small(), 1));
    const std::vector<float> logits = copy(first->values("logits"));
    for (int i = 0; i < 5; ++i) tracer->trace({4, 5, 6}, fresh_parameters(small(), 9));
    CHECK(copy(first->values("logits")) == logits);
    tracer.reset();
    CHECK(copy(first->values("logits")) == logits);
    CHECK(first->values("blocks.1.attn.hook_result").size() == 3 * 2 * 8);
}

TEST_CASE("a tracer reuses the memory of one large trace for the next of the same length") {
    TransformerConfig large = small();
    large.n_ctx = 512, large.d_mlp = 4096;  // 8 MB for each value of an MLP
    const Parameters parameters = fresh_parameters(large, 1);
    CountingBackend backend;
    Tracer tracer(backend, large);
    const std::vector<int> words(512, 3), fewer(500, 4);
    std::vector<float> logits = copy(tracer.trace(words, parameters)->values("logits"));
    CHECK(copy(tracer.trace(words, parameters)->values("logits")) == logits);
    CHECK(backend.prepared == 1);
    // While one trace is held, the next gets memory of its own; from then on the two take turns.
    std::shared_ptr<const Trace> seen = tracer.trace(words, parameters);
    for (int i = 0; i < 3; ++i) seen = tracer.trace(words, parameters);
    CHECK(backend.prepared == 2);
    CHECK(copy(seen->values("logits")) == logits);
    // A trace of another length replaces the memory that waits.
    seen = nullptr;
    tracer.trace(fewer, parameters);
    tracer.trace(fewer, parameters);
    CHECK(backend.prepared == 3);
    CHECK(copy(tracer.trace(words, parameters)->values("logits")) == logits);
    CHECK(backend.prepared == 4);
}

TEST_CASE("each head's result is computed when it is requested, the same from every thread") {
    CpuBackend backend(1);
    const Parameters parameters = fresh_parameters(small(), 1);
    const auto trace = Tracer(backend, small()).trace({1, 2, 3}, parameters);
    // The heads' shares and the bias add up to what attention adds to the stream.
    std::vector<std::vector<float>> seen(4);
    std::vector<std::thread> threads;
    for (auto& mine : seen) threads.emplace_back([&] { mine = copy(trace->values("blocks.0.attn.hook_result")); });
    for (std::thread& thread : threads) thread.join();
    for (const auto& mine : seen) CHECK(mine == seen[0]);
    const std::span<const float> out = trace->values("blocks.0.hook_attn_out"),
                                 bias = trace->values("blocks.0.attn.b_O");
    for (std::size_t p = 0; p < 3; ++p)
        for (std::size_t d = 0; d < 8; ++d)
            CHECK(static_cast<double>(out[p * 8 + d]) ==
                  doctest::Approx(static_cast<double>(seen[0][p * 16 + d] + seen[0][p * 16 + 8 + d] + bias[d]))
                      .epsilon(1e-5));
    const Explanation e = trace->explain({trace->graph().at("blocks.0.attn.hook_result"), 5});
    CHECK(e.recomputed == doctest::Approx(e.traced).epsilon(1e-5));
}

TEST_CASE("translators and models of numbers are traced from their own inputs, and refuse any others") {
    CpuBackend backend(1);
    TransformerConfig translator = small();
    translator.family = Family::encoder_decoder, translator.d_source_vocab = 7;
    Tracer translating(backend, translator);
    const Parameters parameters = fresh_parameters(translator, 1);
    const auto trace = translating.trace(TraceInput{{1, 2, 3}, {6, 5}}, parameters);
    CHECK(trace->shape(trace->graph().at("blocks.0.cross_attn.hook_pattern")) == Shape{2, 3, 2});
    CHECK(trace->source_tokens() == std::vector<int>{6, 5});
    CHECK(contains(error_of([&] { translating.trace({1, 2}, parameters); }), "source sentence"));
    CHECK(contains(error_of([&] { translating.trace(TraceInput{{1}, {7}}, parameters); }), "0 to 6"));
    CHECK(contains(error_of([&] {
                       translating.trace(TraceInput{{1}, std::vector<int>(9, 1)}, parameters);
                   }),
                   "9 tokens"));

    TransformerConfig regression = small();
    regression.input = InputKind::values, regression.output = OutputKind::values;
    regression.d_input = 3, regression.d_output = 1, regression.d_vocab = 0;
    Tracer reading(backend, regression);
    const Parameters numbers = fresh_parameters(regression, 1);
    CHECK(reading.trace(TraceInput{{}, {}, {1, 2, 3, 4, 5, 6}}, numbers)->positions() == 2);
    CHECK(contains(error_of([&] { reading.trace({1, 2}, numbers); }), "not words"));
    CHECK(contains(error_of([&] { reading.trace(TraceInput{{}, {}, {1, 2}}, numbers); }), "rows of 3"));
    CHECK(contains(error_of([&] { reading.trace(TraceInput{}, numbers); }), "0 values"));
    CHECK(contains(error_of([&] {
                       Tracer(backend, small()).trace(TraceInput{{1}, {2}}, fresh_parameters(small(), 1));
                   }),
                   "no source"));
}

TEST_CASE("a forward pass can be cancelled between two ops, and the next one gives the same values") {
    CpuBackend backend(1);
    Tracer tracer(backend, small());
    const Parameters parameters = fresh_parameters(small(), 1);
    const std::vector<int> tokens{3, 5, 7, 2};
    const std::vector<float> logits = copy(tracer.trace(tokens, parameters)->values("logits"));
    int ops = 0;
    backend.between_ops([&] {
        if (++ops == 5) throw std::runtime_error("not wanted");
    });
    CHECK_THROWS_AS(tracer.trace(tokens, parameters), std::runtime_error);
    CHECK(ops == 5);
    backend.between_ops({});
    CHECK(copy(tracer.trace(tokens, parameters)->values("logits")) == logits);
}
