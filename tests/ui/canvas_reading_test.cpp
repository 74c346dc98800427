// What the canvas reads from a trace that has not kept its values: only on the reader's thread, with the same results.
#include "app/views/whole_model/canvas_reading.h"

#include <doctest/doctest.h>

#include <algorithm>
#include <chrono>
#include <thread>

#include "core/backend/cpu/cpu_backend.h"
#include "core/base/background.h"
#include "core/trace/tracer.h"
#include "tests/core/fresh_parameters.h"

using namespace glassformer;
using namespace glassformer::app;
using namespace glassformer::app::views::whole_model;

namespace {

TransformerConfig config() {
    return {.d_vocab = 40, .n_ctx = 40, .d_model = 32, .n_heads = 4, .n_layers = 2, .d_mlp = 96};
}

/// Traces one sentence, keeping either everything or as little as possible.
std::shared_ptr<const Trace> traced(CpuBackend& backend, bool kept) {
    const TransformerConfig c = config();
    static const Parameters parameters = fresh_parameters(c, 5);
    std::vector<int> tokens;
    for (int i = 0; i < 37; ++i) tokens.push_back(i * 11 % 40);
    Tracer tracer(backend, c, kept ? TraceMemory{} : TraceMemory{.kept = 0});
    return tracer.trace(tokens, parameters);
}

/// Asks once per frame, as the window does, until the answer is there.
template <class Ask>
auto answer(CanvasReading& reading, const Ask& ask) {
    for (int i = 0; i < 5000; ++i) {
        reading.begin_frame();
        const auto found = ask();
        reading.end_frame();
        if (found) return found;
        std::this_thread::sleep_for(std::chrono::milliseconds(1));
    }
    FAIL("it was never read");
    return decltype(ask())();
}

}  // namespace

TEST_CASE("canvas: values that a trace did not keep are recomputed on the reader's thread, identically") {
    CpuBackend backend{1};
    const auto all = traced(backend, true), little = traced(backend, false);
    const int neurons = all->graph().at("blocks.1.mlp.hook_post"),
              pattern = all->graph().at("blocks.1.attn.hook_pattern");
    REQUIRE(all->kept(neurons));
    REQUIRE_FALSE(little->kept(neurons));
    REQUIRE_FALSE(little->kept(pattern));
    const auto reader = std::make_shared<TraceReader>();
    CanvasReading now(all, {}, reader), later(little, {}, reader);
    now.begin_frame(), later.begin_frame();

    // The first frame: kept values are available at once; the caller computes none of the others.
    const TileCells* tile = now.tile(neurons, 20, 0, 96, 4, 8, false);
    REQUIRE(tile);
    CHECK(now.arcs(pattern));
    CHECK_FALSE(now.end_frame());
    CHECK_FALSE(later.tile(neurons, 20, 0, 96, 4, 8, false));
    CHECK_FALSE(later.range(neurons));
    CHECK_FALSE(later.arcs(pattern));
    CHECK_FALSE(later.largest(neurons, false));
    CHECK_FALSE(later.said(5));
    CHECK_FALSE(later.part(neurons, {0, 37}));
    CHECK(little->part_bytes() == 0);
    fail_at("canvas turn");  // a failed reading is retried in a later frame
    CHECK(later.end_frame());
    while (!fail_at("canvas turn")) std::this_thread::yield();
    fail_at({});

    const TileCells* made = answer(later, [&] { return later.tile(neurons, 20, 0, 96, 4, 8, false); });
    CHECK(made->values == tile->values);
    CHECK(made->offset == tile->offset);
    CHECK(*answer(later, [&] { return later.range(neurons); }) == *now.range(neurons));
    CHECK(*answer(later, [&] { return later.largest(neurons, false); }) == *now.largest(neurons, false));
    const PatternArcs &arcs = *answer(later, [&] { return later.arcs(pattern); }), &true_arcs = *now.arcs(pattern);
    REQUIRE(arcs.by_query.size() == true_arcs.by_query.size());
    for (std::size_t i = 0; i < arcs.by_query.size(); ++i) {
        CHECK(arcs.by_query[i].key == true_arcs.by_query[i].key);
        CHECK(arcs.by_query[i].weight == true_arcs.by_query[i].weight);
    }
    CHECK(answer(later, [&] { return later.said(5); })->front().id == now.said(5)->front().id);
    const auto part = answer(later, [&] { return later.part(neurons, {3, 2}); });
    const std::span<const float> whole = all->values(neurons);
    CHECK(std::ranges::equal(part->values(), whole.subspan(3 * 96, 2 * 96)));

    // After zooming, the old tile stays until the new one has been read.
    later.begin_frame();
    const TileCells* meanwhile = later.tile(neurons, 20, 0, 96, 8, 12, false);
    REQUIRE(meanwhile);
    CHECK(meanwhile->values.size() == 32);
    later.end_frame();
    CHECK(answer(later, [&] {
              const TileCells* cells = later.tile(neurons, 20, 0, 96, 8, 12, false);
              return cells->values.size() == 96 ? cells : nullptr;
          })->values.front() == whole[20 * 96]);
}

TEST_CASE("canvas: arcs are a word's weights of at least 0.1 and its largest, sorted by weight") {
    CpuBackend backend{1};
    const auto trace = traced(backend, true);
    const int pattern = trace->graph().at("blocks.0.attn.hook_pattern");
    CanvasReading reading(trace, {}, std::make_shared<TraceReader>());
    reading.begin_frame();
    const PatternArcs* arcs = reading.arcs(pattern);
    REQUIRE(arcs);
    const Shape shape = trace->shape(pattern);
    for (int query = 0; query < 37; ++query) {
        std::size_t expected = 0;
        for (int head = 0; head < 4; ++head) {
            const auto row = trace->part(pattern, {head, 1}).values().subspan(static_cast<std::size_t>(query) * 37, 37);
            const auto most = std::ranges::max_element(row) - row.begin();
            for (int key = 0; key < 37; ++key) expected += row[key] >= 0.1f || key == most;
        }
        CHECK(arcs->of(query).size() == expected);
        CHECK(std::ranges::is_sorted(arcs->of(query), {}, &Arc::weight));
        for (const Arc& arc : arcs->of(query))
            CHECK(trace->at({pattern, offset_of(shape, {arc.head, arc.query, arc.key})}) == arc.weight);
    }
    CHECK(arcs->of(-1).empty());
    CHECK(arcs->of(37).empty());
    CHECK(std::ranges::is_sorted(arcs->strong, {}, &Arc::weight));
}

TEST_CASE("canvas: a reading can be destroyed while it is read, and the next one gets none of its parts") {
    CpuBackend backend{1};
    const auto little = traced(backend, false);
    const int neurons = little->graph().at("blocks.0.mlp.hook_post");
    for (int i = 0; i < 50; ++i) {
        const auto reader = std::make_shared<TraceReader>();
        {
            CanvasReading reading(little, {}, reader);
            reading.begin_frame();
            for (int word = 0; word < 37; ++word) reading.tile(neurons, word, 0, 96, 4, 8, false);
            reading.end_frame();
        }
        CanvasReading next(little, {}, reader);
        CHECK(reader->take(&next).empty());  // none of the previous trace's, wherever that was
    }
}
