// What the views read from a trace that keeps little, compared with one that keeps everything.
#include <doctest/doctest.h>

#include <thread>

#include "app/common/head_summaries.h"
#include "app/common/lens_reading.h"
#include "app/views/all_heads/together.h"
#include "core/backend/cpu/cpu_backend.h"
#include "core/base/background.h"
#include "core/trace/tracer.h"
#include "tests/contains.h"
#include "tests/core/fresh_parameters.h"

using namespace glassformer;
using namespace glassformer::app;

namespace {

/// One sentence of a small decoder, traced both ways.
struct TwoTraces {
    TransformerConfig config;
    mutable CpuBackend backend{1};
    std::shared_ptr<const Trace> full, little;

    TwoTraces() {
        config.family = Family::decoder;
        config.d_vocab = 37, config.n_ctx = 40, config.d_model = 20, config.n_heads = 4, config.n_layers = 3;
        config.d_mlp = 28, config.init_std = 0.4f;
        std::vector<int> tokens;
        for (int p = 0; p < 37; ++p) tokens.push_back(p * 5 % 12);
        const Parameters parameters = fresh_parameters(config, 2);
        full = Tracer(backend, config).trace(tokens, parameters);
        little = Tracer(backend, config, {0, 1 << 16}).trace(tokens, parameters);
    }
};

/// Asks again until the background thread has answered.
template <class Ask>
auto wait_for(const Ask& ask) {
    auto found = ask();
    while (!found) {
        std::this_thread::yield();
        found = ask();
    }
    return found;
}

}  // namespace

TEST_CASE("the heads' pictures of a trace without kept patterns equal those of a full trace") {
    const TwoTraces traces;
    HeadSummaries now(traces.full, 3, 4), behind(traces.little, 3, 4);
    CHECK_FALSE(now.go_on(*traces.full));
    CHECK(behind.of(traces.little));
    for (int layer = 0; layer < 3; ++layer)
        for (int head = 0; head < 4; ++head) {
            const HeadSummary* const found = wait_for([&] { return behind.find(layer, head); });
            const HeadSummary* const expected = now.find(layer, head);
            REQUIRE(expected);
            CHECK(found->picture.rows == expected->picture.rows);
            CHECK(found->picture.weights == expected->picture.weights);
            CHECK(found->toeplitz == expected->toeplitz);
            CHECK(found->previous == expected->previous);
            CHECK(found->induction == expected->induction);
        }
    CHECK_FALSE(behind.go_on(*traces.little));
    CHECK(behind.has_induction() == now.has_induction());
    CHECK(traces.little->part_bytes() == 0);  // none of it was held
}

TEST_CASE("the heads' pictures can be destroyed before they are finished") {
    TwoTraces traces;
    std::weak_ptr<const Trace> left;
    {
        std::shared_ptr<const Trace> trace =
            Tracer(traces.backend, traces.config, {0, 1 << 16}).trace(traces.full->tokens(), traces.full->parameters());
        left = trace;
        const HeadSummaries begun(trace, 3, 4);
    }
    CHECK(left.expired());
}

TEST_CASE("background: a failed lens reports why, and failed pictures and mixes of heads are not awaited") {
    const TwoTraces traces;
    fail_at("lens");
    const LensReading lens(traces.little);
    wait_for([&] { return !lens.why_not().empty(); });
    CHECK(contains(lens.why_not(), "as a test has asked"));
    fail_at("heads");
    {
        HeadSummaries heads(traces.little, 3, 4);
        wait_for([&] { return fail_at("heads"); });
        CHECK_FALSE(heads.find(0, 0));
        wait_for([&] { return !heads.go_on(*traces.little); });  // otherwise the window would draw frames for ever
    }
    fail_at("all heads");
    {
        views::all_heads::MixedBlocks blocks(traces.little, 3, 4, 0.5);
        wait_for([&] { return !blocks.go_on(*traces.little); });
        CHECK_FALSE(blocks.done());
    }
    fail_at({});
}

TEST_CASE("the lens of a trace without kept logits reads the positions that are requested") {
    const TwoTraces traces;
    LensReading now(traces.full), behind(traces.little);
    REQUIRE(now.layers() == 4);
    REQUIRE(behind.why_not().empty());
    for (const int position : {36, 0, 15, 16, 31, 7})
        for (int layer = 0; layer < 4; ++layer) {
            const LensWord* const found = wait_for([&] { return behind.best(layer, position); });
            const LensWord* const expected = now.best(layer, position);
            REQUIRE(expected);
            CHECK(found->id == expected->id);
            CHECK(found->logit == expected->logit);
            CHECK(found->probability == expected->probability);
        }
    const std::vector<LensWord> a = likeliest_words(*traces.little, 12, 5), b = likeliest_words(*traces.full, 12, 5);
    for (std::size_t i = 0; i < 5; ++i) {
        CHECK(a[i].id == b[i].id);
        CHECK(a[i].probability == b[i].probability);
    }
}

TEST_CASE("the lens of a longer text reuses what was read of its beginning, but nothing of another text") {
    const TwoTraces traces;
    Tracer keeps_little(traces.backend, traces.config, {0, 1 << 16});
    std::vector<int> start = traces.full->tokens(), other = start;
    start.resize(20), other[3] = 9;
    const Parameters& parameters = traces.full->parameters();
    const auto before = keeps_little.trace(start, parameters);
    LensReading first(before), now(traces.full);
    for (int layer = 0; layer < 4; ++layer)
        for (const int position : {2, 17}) wait_for([&] { return first.best(layer, position); });
    first.stop();
    LensReading grown(traces.little, nullptr, &first), changed(keeps_little.trace(other, parameters), nullptr, &first);
    for (int layer = 0; layer < 4; ++layer)
        for (int position = 0; position < 20; ++position) {
            const LensWord* const found = grown.best(layer, position);
            REQUIRE(found);
            CHECK(found->id == now.best(layer, position)->id);
            CHECK(found->probability == doctest::Approx(now.best(layer, position)->probability).epsilon(1e-5));
        }
    CHECK(wait_for([&] { return grown.best(1, 25); })->id == now.best(1, 25)->id);
    for (int layer = 0; layer < 4; ++layer) wait_for([&] { return grown.best(layer, 36); });
    CHECK(grown.best(0, 20)->id == now.best(0, 20)->id);  // from the block that was begun before
    CHECK_FALSE(changed.best(0, 2));
}
