// A trace that keeps little and computes the rest on request, compared with one that keeps everything.
#include <doctest/doctest.h>

#include <atomic>
#include <thread>

#include "core/backend/cpu/cpu_backend.h"
#include "core/base/rng.h"
#include "core/trace/recompute.h"
#include "core/trace/tracer.h"
#include "tests/core/error_of.h"
#include "tests/core/fresh_parameters.h"
#include "tests/same_bytes.h"

using namespace glassformer;

namespace {

constexpr TraceMemory nothing{0, 1 << 20};

/// Rows of 20, 27 and 37 cells, which do not start on cache lines.
TransformerConfig decoder() {
    TransformerConfig c;
    c.family = Family::decoder;
    c.d_vocab = 37, c.n_ctx = 24, c.d_model = 20, c.n_heads = 4, c.n_layers = 3, c.d_mlp = 27, c.init_std = 0.4f;
    return c;
}

struct Named {
    const char* name;
    TransformerConfig config;
};

std::vector<Named> models() {
    std::vector<Named> all{{"decoder", decoder()}};
    const auto add = [&](const char* name, auto change) {
        all.push_back({name, decoder()});
        change(all.back().config);
    };
    add("encoder", [](auto& c) { c.family = Family::encoder, c.activation = Activation::gelu_tanh; });
    add("classes",
        [](auto& c) { c.family = Family::encoder, c.output = OutputKind::classes, c.d_output = 9, c.tied = false; });
    add("values", [](auto& c) {
        c.input = InputKind::values, c.output = OutputKind::values, c.d_input = 2, c.d_output = 1, c.d_vocab = 0;
    });
    add("translator", [](auto& c) { c.family = Family::encoder_decoder, c.d_source_vocab = 13; });
    add("alibi", [](auto& c) { c.positions = Positions::alibi, c.norm_placement = NormPlacement::post; });
    add("rotary", [](auto& c) {
        c.positions = Positions::rotary, c.norm = NormKind::rms_norm, c.activation = Activation::swiglu;
        c.d_model = 24, c.tied = false;
    });
    add("stream first", [](auto& c) { c.norm_placement = NormPlacement::stream_first, c.norm_scalar = true; });
    add("batch norm", [](auto& c) { c.norm = NormKind::batch_norm, c.activation = Activation::relu; });
    add("shared", [](auto& c) { c.attention.projections = Projections::shared, c.attention.hard = true; });
    add("bare", [](auto& c) {
        c.attention.projections = Projections::none, c.norm_placement = NormPlacement::none, c.residual = false;
        c.activation = Activation::none;
    });
    add("recurrent", [](auto& c) { c.family = Family::gru, c.activation = Activation::none; });
    return all;
}

TraceInput some_input(const TransformerConfig& c, int positions = 19) {
    TraceInput input;
    for (int p = 0; p < positions; ++p)
        if (c.input == InputKind::values)
            for (int i = 0; i < c.d_input; ++i) input.values.push_back(static_cast<float>((p * 7 + i) % 5) - 2.0f);
        else
            input.tokens.push_back(p * 7 % c.d_vocab);
    if (c.family == Family::encoder_decoder) input.source_tokens = {1, 5, 3, 12, 0, 7, 7};
    return input;
}

/// Compares every node slice by slice, each slice alone and with all that follow it, and the last cell by itself.
void check_runs(const Trace& little, const Trace& full) {
    for (int node = 0; node < static_cast<int>(full.graph().nodes().size()); ++node) {
        CAPTURE(full.graph()[node].name);
        const SliceAxis axis = full.slices(node);
        const std::span<const float> expected = full.values(node);
        for (std::int64_t first = 0; first < axis.count; ++first)
            for (const std::int64_t count : {std::int64_t{1}, axis.count - first}) {
                const SliceView part = little.part(node, {first, count});
                CHECK(same_bytes(part.values(), expected.subspan(first * axis.width, count * axis.width)));
                CHECK(little.part_bytes() <= nothing.parts);
            }
        const std::int64_t last = full.graph()[node].shape.elements() - 1;
        CHECK(little.at({node, last}) == full.at({node, last}));
    }
}

void check_explanations(const Trace& little, const Trace& full) {
    Rng rng(5);
    for (int node = 0; node < static_cast<int>(full.graph().nodes().size()); ++node) {
        CAPTURE(full.graph()[node].name);
        for (int i = 0; i < 5; ++i) {
            const auto cells = static_cast<std::uint32_t>(full.graph()[node].shape.elements());
            const Cell cell{node, static_cast<std::int64_t>(rng.below(cells))};
            const Explanation a = little.explain(cell), b = full.explain(cell);
            CHECK(a.traced == b.traced);
            CHECK(a.recomputed == b.recomputed);
            CHECK(a.overwritten == b.overwritten);
            CHECK(a.numbers == b.numbers);
            REQUIRE(a.terms.size() == b.terms.size());
            for (std::size_t t = 0; t < a.terms.size(); ++t) {
                CHECK(a.terms[t].contribution == b.terms[t].contribution);
                REQUIRE(a.terms[t].operands.size() == b.terms[t].operands.size());
                for (std::size_t o = 0; o < a.terms[t].operands.size(); ++o) {
                    CHECK(a.terms[t].operands[o].cell == b.terms[t].operands[o].cell);
                    CHECK(a.terms[t].operands[o].value == b.terms[t].operands[o].value);
                }
            }
        }
    }
}

Intervention set(const Trace& trace, const std::string& name, std::vector<Intervention::Range> ranges, float value) {
    std::int64_t count = 0;
    for (const Intervention::Range& range : ranges) count += range.count;
    return {trace.graph().at(name), std::move(ranges), std::vector<float>(static_cast<std::size_t>(count), value)};
}

}  // namespace

TEST_CASE("what a trace did not keep is recomputed to the run's bytes, part by part, in every kind of model") {
    CpuBackend backend(2);
    for (const Named& model : models()) {
        CAPTURE(model.name);
        const Parameters parameters = fresh_parameters(model.config, 3);
        Tracer keeps_little(backend, model.config, nothing), keeps_all(backend, model.config);
        const TraceInput input = some_input(model.config);
        const auto little = keeps_little.trace(input, parameters), full = keeps_all.trace(input, parameters);
        check_runs(*little, *full);
        check_explanations(*little, *full);
        for (int node = 0; node < static_cast<int>(full->graph().nodes().size()); ++node)
            CHECK(same_bytes(little->values(node), full->values(node)));
    }
}

TEST_CASE("the budget decides whether a trace keeps everything, or what the rest is computed from") {
    CpuBackend backend(1);
    const TransformerConfig config = decoder();
    const Parameters parameters = fresh_parameters(config, 3);
    const TraceInput input = some_input(config);
    const auto full = Tracer(backend, config).trace(input, parameters);
    const auto little = Tracer(backend, config, nothing).trace(input, parameters);
    const Graph& graph = full->graph();
    for (const char* name : {"hook_pattern", "hook_attn_scores", "hook_attn_scores_raw"}) {
        CHECK(full->kept(graph.at(std::string("blocks.1.attn.") + name)));
        CHECK_FALSE(little->kept(graph.at(std::string("blocks.1.attn.") + name)));
    }
    for (const char* name : {"logits", "blocks.2.mlp.hook_pre", "blocks.0.hook_attn_out", "blocks.1.ln1.hook_out"})
        CHECK_FALSE(little->kept(graph.at(name)));
    for (const char* name : {"blocks.1.hook_resid_mid", "blocks.1.attn.hook_q", "blocks.1.attn.hook_k",
                             "blocks.1.attn.hook_v", "blocks.1.attn.hook_z", "blocks.2.hook_resid_post"})
        CHECK(little->kept(graph.at(name)));

    std::int64_t all = 0, some = 0;
    for (int node = 0; node < static_cast<int>(graph.nodes().size()); ++node)
        if (graph[node].kind == NodeInfo::Kind::op && !graph[node].op->is_view() && full->kept(node)) {
            all += graph[node].shape.elements() * 4;
            some += little->kept(node) ? graph[node].shape.elements() * 4 : 0;
        }
    // One byte too little for everything: the MLP's output projection, whose sums are longest, is kept even so.
    const auto most = Tracer(backend, config, {all - 1, 1 << 20}).trace(input, parameters);
    CHECK(most->kept(graph.at("blocks.1.hook_mlp_out")));
    CHECK_FALSE(most->kept(graph.at("blocks.1.mlp.hook_post")));
    CHECK(Tracer(backend, config, {all, 1 << 20}).trace(input, parameters)->kept(graph.at("blocks.1.mlp.hook_post")));
    CHECK(some < all / 2);
}

TEST_CASE("interventions also apply to the parts that are computed later") {
    CpuBackend backend(1);
    const TransformerConfig config = decoder();
    const Parameters parameters = fresh_parameters(config, 3);
    const TraceInput input = some_input(config);
    Tracer keeps_little(backend, config, nothing), keeps_all(backend, config);
    const auto plain = keeps_all.trace(input, parameters);
    const std::int64_t head = 19 * 19;
    const std::vector<Intervention> changes{
        set(*plain, "blocks.0.attn.hook_pattern", {{head + 19 * 4, 19}, {3 * head, 5}}, 0.05f),
        set(*plain, "blocks.1.attn.hook_attn_scores_raw", {{2 * head - 30, 60}}, 1.5f),
        set(*plain, "blocks.1.attn.hook_v", {{25, 40}}, -0.5f),
        set(*plain, "blocks.2.mlp.hook_post", {{27 * 6 + 3, 27}}, 2.0f),
        set(*plain, "blocks.2.hook_mlp_out", {{0, 20}}, 0.0f),
        set(*plain, "ln_final.hook_out", {{20 * 18, 20}}, 0.25f),
        set(*plain, "logits", {{37 * 5 + 2, 3}}, 4.0f)};
    const auto little = keeps_little.trace(input, parameters, changes),
               full = keeps_all.trace(input, parameters, changes);
    CHECK_FALSE(same_bytes(full->values("probabilities"), plain->values("probabilities")));
    check_runs(*little, *full);
    check_explanations(*little, *full);
    // A later trace is not affected by them.
    check_runs(*keeps_little.trace(input, parameters), *plain);

    const auto refused = [&](Intervention change) {
        return error_of([&] { keeps_little.trace(input, parameters, {std::move(change)}); });
    };
    CHECK(contains(refused(set(*plain, "logits", {{37 * 19 - 1, 2}}, 0.0f)), "beyond the 703 cells"));
    CHECK(contains(refused({plain->graph().at("logits"), {{0, 2}}, {1.0f}}), "gives 1 values"));
    CHECK(contains(refused(set(*plain, "blocks.0.attn.hook_result", {{0, 1}}, 0.0f)), "op that is run"));
}

TEST_CASE("parts outside a node are refused") {
    CpuBackend backend(1);
    const auto trace = Tracer(backend, decoder(), nothing).trace(some_input(decoder()), fresh_parameters(decoder(), 3));
    const int pattern = trace->graph().at("blocks.0.attn.hook_pattern");
    CHECK(trace->slices(pattern).count == 4);
    CHECK(trace->part(pattern, {4, 0}).values().empty());
    CHECK(contains(error_of([&] { trace->part(pattern, {4, 1}); }), "has 4 parts"));
    CHECK(contains(error_of([&] { trace->part(pattern, {-1, 1}); }), "has 4 parts"));
}

TEST_CASE("a part that is held stays valid, whatever is requested next") {
    CpuBackend backend(1);
    const TransformerConfig config = decoder();
    const Parameters parameters = fresh_parameters(config, 3);
    constexpr std::int64_t one_head = 19 * 19 * 4 + 64;
    const auto trace = Tracer(backend, config, {0, one_head}).trace(some_input(config), parameters);
    const int pattern = trace->graph().at("blocks.1.attn.hook_pattern");
    const SliceView held = trace->part(pattern, {1, 1});
    const std::vector<float> copy(held.values().begin(), held.values().end());
    for (int head = 0; head < 4; ++head) trace->part(pattern, {head, 1});
    CHECK(trace->part_bytes() <= one_head);
    CHECK(same_bytes(held.values(), copy));
    CHECK(trace->part(pattern, {1, 1}).values().data() != held.values().data());
}

TEST_CASE("the cache of parts evicts the least recently used part") {
    PartCache cache(4 * 64);
    const auto add = [&](int node, Slices runs) { cache.insert(std::make_shared<CachedSlice>(node, runs, 16)); };
    for (int node = 0; node < 4; ++node) add(node, {0, 1});
    CHECK(cache.find(0, {0, 1}));
    add(4, {0, 1});
    CHECK(cache.bytes() == 4 * 64);
    CHECK_FALSE(cache.find(1, {0, 1}));
    for (const int node : {0, 2, 3, 4}) CHECK(cache.find(node, {0, 1}));
    add(0, {0, 3});  // replaces the shorter one
    CHECK(cache.find(0, {1, 2}));
    CHECK(cache.find(0, {0, 1}));
    CHECK_FALSE(cache.find(0, {1, 3}));
    CHECK(cache.bytes() == 4 * 64);
    add(9, {0, 5});  // larger than the budget
    CHECK_FALSE(cache.find(9, {0, 5}));
    CHECK(cache.find(0, {0, 3}));
}

TEST_CASE("several threads can read one trace at once") {
    CpuBackend backend(1);
    const TransformerConfig config = decoder();
    const Parameters parameters = fresh_parameters(config, 3);
    const TraceInput input = some_input(config);
    const auto little = Tracer(backend, config, {0, 3000}).trace(input, parameters);
    const auto full = Tracer(backend, config).trace(input, parameters);
    std::atomic<int> wrong{0};
    std::vector<std::thread> threads;
    for (std::uint64_t seed = 0; seed < 3; ++seed)
        threads.emplace_back([&, seed] {
            Rng rng(seed);
            for (int i = 0; i < 300; ++i) {
                const auto node = static_cast<int>(rng.below(static_cast<std::uint32_t>(full->graph().nodes().size())));
                const SliceAxis axis = full->slices(node);
                const auto first = static_cast<std::int64_t>(rng.below(static_cast<std::uint32_t>(axis.count)));
                const SliceView mine = little->part(node, {first, 1});
                if (!same_bytes(mine.values(), full->part(node, {first, 1}).values())) ++wrong;
                if (i % 50 == 0 && !same_bytes(little->values(node), full->values(node))) ++wrong;
                if (little->part_bytes() > 3000) ++wrong;
            }
        });
    for (std::thread& thread : threads) thread.join();
    CHECK(wrong == 0);
}
