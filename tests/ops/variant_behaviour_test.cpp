// What the switches of the architecture promise.
#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>

#include "core/backend/cpu/cpu_backend.h"
#include "core/base/error.h"
#include "tests/core/error_of.h"
#include "tests/ops/variants.h"

using namespace glassformer;
using namespace glassformer::testing;

namespace {

std::vector<float> logits(const VariantModel& m) {
    CpuBackend backend(1);
    const auto run = m.prepare(backend, {{m.model.logits}, -1});
    run->forward(m.parameters);
    return m.read(*run, m.model.logits);
}

const Variant& variant(const std::string& name) {
    const auto found = std::ranges::find(variants(), name, &Variant::name);
    REQUIRE(found != variants().end());
    return *found;
}

/// Returns an encoder without positions on one sentence of seven words, with no padding.
VariantModel bag_of_words(TransformerConfig config) {
    config.positions = Positions::none;
    VariantModel m({"bag of words", config}, 1, false);
    std::ranges::fill(m.inputs.key_mask, 1.0f);
    return m;
}

struct Permuted {
    std::vector<float> before, after;  // logits of the same words, in the same order
};

Permuted permute(VariantModel m) {
    constexpr std::array<std::size_t, VariantModel::positions> order = {3, 6, 0, 5, 1, 4, 2};
    const std::vector<float> first = logits(m), tokens = m.inputs.tokens;
    for (std::size_t p = 0; p < order.size(); ++p) m.inputs.tokens[p] = tokens[order[p]];
    const std::vector<float> second = logits(m);
    const std::size_t width = first.size() / order.size();
    Permuted result{{}, second};
    for (const std::size_t from : order)
        result.before.insert(result.before.end(), first.begin() + static_cast<std::ptrdiff_t>(from * width),
                             first.begin() + static_cast<std::ptrdiff_t>((from + 1) * width));
    return result;
}

/// Returns the message of the refusal; empty if it is accepted.
template <class Change>
std::string refusal(const std::string& base, Change change) {
    TransformerConfig c = variant(base).config;
    change(c);
    return error_of([&] { build_transformer(c, {1, 4, 4}); });
}

bool names(const std::string& message, std::initializer_list<const char*> words) {
    return std::ranges::all_of(words, [&](const char* w) { return contains(message, w); });
}

}  // namespace

TEST_CASE("causal: changing later tokens does not change a bit of earlier outputs") {
    int tried = 0;
    for (const Variant& v : variants()) {
        if (!(v.config.causal() || v.config.recurrent()) || v.config.output == OutputKind::classes) continue;
        VariantModel m(v, 2, false);
        // Future: every position from `now` on, of both sentences.
        for (std::size_t now = 1; now < VariantModel::positions; ++now) {
            VariantModel changed(v, 2, false);
            for (std::size_t b = 0; b < 2; ++b)
                for (std::size_t p = now; p < VariantModel::positions; ++p) {
                    const std::size_t cell = b * VariantModel::positions + p;
                    for (std::size_t i = 0; i < static_cast<std::size_t>(v.config.d_input); ++i)
                        changed.inputs.values[cell * static_cast<std::size_t>(v.config.d_input) + i] += 1.0f;
                    if (v.config.input == InputKind::words)
                        changed.inputs.tokens[cell] = std::fmod(changed.inputs.tokens[cell] + 3.0f, 11.0f);
                }
            const std::vector<float> before = logits(m), after = logits(changed);
            const std::size_t width = before.size() / (2 * VariantModel::positions);
            INFO(v.name, " from position ", now);
            for (std::size_t b = 0; b < 2; ++b) {
                const auto row = [&](const std::vector<float>& x, std::size_t p) {
                    return std::span<const float>(x).subspan((b * VariantModel::positions + p) * width, width);
                };
                for (std::size_t p = 0; p < now; ++p) CHECK(std::ranges::equal(row(before, p), row(after, p)));
                CHECK_FALSE(std::ranges::equal(row(before, now), row(after, now)));
            }
        }
        ++tried;
    }
    CHECK(tried >= 8);
}

TEST_CASE("both ways: an encoder's first word sees the last one") {
    VariantModel m(variant("encoder"), 1, false), changed(variant("encoder"), 1, false);
    std::ranges::fill(m.inputs.key_mask, 1.0f);
    std::ranges::fill(changed.inputs.key_mask, 1.0f);
    changed.inputs.tokens.back() = std::fmod(changed.inputs.tokens.back() + 3.0f, 11.0f);
    CHECK(logits(m).front() != logits(changed).front());
}

TEST_CASE("padding: masked tokens do not affect the outputs") {
    for (const char* name : {"encoder", "decoder", "classes", "alibi", "encoder-decoder"}) {
        VariantModel m(variant(name), 3, false), changed(variant(name), 3, false);
        for (std::size_t i = 0; i < m.inputs.key_mask.size(); ++i)
            if (m.inputs.key_mask[i] == 0.0f) changed.inputs.tokens[i] = std::fmod(m.inputs.tokens[i] + 2.0f, 11.0f);
        for (std::size_t i = 0; i < m.inputs.source_key_mask.size(); ++i)
            if (m.inputs.source_key_mask[i] == 0.0f)
                changed.inputs.source_tokens[i] = std::fmod(m.inputs.source_tokens[i] + 2.0f, 9.0f);
        const std::vector<float> before = logits(m), after = logits(changed);
        const bool classes = m.model.config.output == OutputKind::classes;
        const std::size_t rows = classes ? 3 : m.inputs.key_mask.size(), width = before.size() / rows;
        INFO(name);
        for (std::size_t row = 0; row < rows; ++row)
            if (classes || m.inputs.key_mask[row] == 1.0f)
                CHECK(std::equal(before.begin() + static_cast<std::ptrdiff_t>(row * width),
                                 before.begin() + static_cast<std::ptrdiff_t>((row + 1) * width),
                                 after.begin() + static_cast<std::ptrdiff_t>(row * width)));
    }
}

TEST_CASE("without positions, reordering the words reorders the outputs") {
    // The sums over the words run in another order, so the last bits of the floats may differ …
    for (const char* name : {"encoder", "ReLU", "post-LN", "RMSNorm", "no parameters"}) {
        const Permuted p = permute(bag_of_words(variant(name).config));
        INFO(name);
        for (std::size_t i = 0; i < p.before.size(); ++i)
            CHECK(static_cast<double>(p.before[i]) == doctest::Approx(static_cast<double>(p.after[i])).epsilon(1e-5));
    }
    // … but not one bit where all arithmetic is exact: small multiples of 1/8, hard attention, no exponentials and no
    // division.
    TransformerConfig exact = variant("ReLU").config;
    exact.attention.hard = true, exact.norm_placement = NormPlacement::none, exact.n_layers = 1;
    exact.attention.d_head = 4;  // ÷ √4
    VariantModel m = bag_of_words(exact);
    for (float& parameter : m.parameters) parameter = std::round(parameter * 8.0f) / 8.0f;
    const Permuted p = permute(std::move(m));
    CHECK(p.before == p.after);
    CHECK(std::ranges::any_of(p.before, [](float x) { return x != 0.0f; }));
}

TEST_CASE("with positions, reordering the words does more than reorder the outputs") {
    for (const char* name :
         {"encoder", "index", "index over length", "sinusoidal", "rotary", "alibi", "recurrent network", "GRU"}) {
        VariantModel m(variant(name), 1, false);
        std::ranges::fill(m.inputs.key_mask, 1.0f);
        const Permuted p = permute(std::move(m));
        double largest = 0.0;
        for (std::size_t i = 0; i < p.before.size(); ++i)
            largest = std::max(largest, std::abs(static_cast<double>(p.before[i] - p.after[i])));
        INFO(name);
        CHECK(largest > 1e-3);
    }
}

TEST_CASE("dropout is active only in training") {
    TransformerConfig without = variant("dropout").config;
    without.dropout = 0.0f;
    const VariantModel still({"without", without}, 2, false), idle(variant("dropout"), 2, false),
        training(variant("dropout"), 2, true);
    CHECK(logits(still) == logits(idle));
    CHECK(logits(still) != logits(training));
}

TEST_CASE("batch normalization uses the batch in training and the running statistics otherwise") {
    const VariantModel training(variant("batch normalization"), 2, true),
        idle(variant("batch normalization"), 2, false);
    CHECK(logits(training) != logits(idle));
    // Outside training one sentence does not affect the other.
    VariantModel other(variant("batch normalization"), 2, false);
    for (std::size_t p = 0; p < VariantModel::positions; ++p) other.inputs.tokens[VariantModel::positions + p] = 1.0f;
    const std::vector<float> a = logits(idle), b = logits(other);
    CHECK(std::equal(a.begin(), a.begin() + static_cast<std::ptrdiff_t>(a.size() / 2), b.begin()));
}

TEST_CASE("hard attention puts all weight on one key") {
    const VariantModel m(variant("hard attention"), 1, false);
    CpuBackend backend(1);
    const int node = m.graph.at("blocks.0.attn.hook_pattern");
    const auto run = m.prepare(backend, {{node}, -1});
    run->forward(m.parameters);
    const std::vector<float> pattern = m.read(*run, node);
    for (std::size_t row = 0; row < pattern.size(); row += VariantModel::positions) {
        const auto first = pattern.begin() + static_cast<std::ptrdiff_t>(row);
        CHECK(std::count(first, first + VariantModel::positions, 1.0f) == 1);
        CHECK(std::count(first, first + VariantModel::positions, 0.0f) == VariantModel::positions - 1);
    }
}

TEST_CASE("a model has the same parameters for every batch shape") {
    for (const Variant& v : variants()) {
        const TransformerGraph small = build_transformer(v.config, {1, 1, 1}),
                               large = build_transformer(v.config, {4, 8, 6});
        INFO(v.name);
        REQUIRE(small.graph->parameters().size() == large.graph->parameters().size());
        CHECK(small.graph->parameter_count() == large.graph->parameter_count());
        for (std::size_t i = 0; i < small.graph->parameters().size(); ++i) {
            const NodeInfo &a = (*small.graph)[small.graph->parameters()[i]],
                           &b = (*large.graph)[large.graph->parameters()[i]];
            CHECK(a.name == b.name);
            CHECK(a.offset == b.offset);
            CHECK(a.shape == b.shape);
        }
    }
}

TEST_CASE("invalid combinations are refused with the reason") {
    using C = TransformerConfig;
    CHECK(names(refusal("encoder", [](C& c) { c.n_heads = 3; }), {"d_model 8", "n_heads 3"}));
    CHECK(names(refusal("no parameters", [](C& c) { c.attention.d_head = 4; }), {"without parameters", "d_head"}));
    CHECK(names(refusal("no parameters", [](C& c) { c.n_heads = 3; }), {"n_heads 3"}));
    CHECK(names(refusal("shared projections", [](C& c) { c.attention.d_value = 3; }), {"shared", "d_value 3"}));
    CHECK(names(refusal("rotary", [](C& c) { c.attention.d_head = 3; }), {"rotary", "d_head 3"}));
    CHECK(names(refusal("GRU", [](C& c) { c.activation = Activation::relu; }), {"recurrent", "activation"}));
    CHECK(names(refusal("GRU", [](C& c) { c.positions = Positions::rotary; }), {"rotary", "recurrent"}));
    CHECK(names(refusal("GRU", [](C& c) { c.positions = Positions::alibi; }), {"alibi", "recurrent"}));
    CHECK(names(refusal("values in, words out", [](C& c) { c.tied = true; }), {"tied", "values"}));
    CHECK(names(refusal("values in, words out", [](C& c) { c.d_input = 0; }), {"d_input is 0"}));
    CHECK(names(refusal("classes", [](C& c) { c.d_output = 0; }), {"d_output is 0"}));
    CHECK(names(refusal("encoder-decoder", [](C& c) { c.output = OutputKind::classes, c.d_output = 2; }),
                {"encoder-decoder", "words"}));
    CHECK(names(refusal("encoder-decoder", [](C& c) { c.input = InputKind::values, c.d_input = 2, c.tied = false; }),
                {"encoder-decoder", "words"}));
    CHECK(names(refusal("encoder", [](C& c) { c.d_source_vocab = 5; }), {"d_source_vocab", "encoder-decoder"}));
    CHECK(names(refusal("no norm", [](C& c) { c.norm_scalar = true; }), {"norm_scalar", "none"}));
    CHECK(names(refusal("encoder", [](C& c) { c.dropout = 1.0f; }), {"dropout"}));
    CHECK(names(refusal("encoder", [](C& c) { c.dropout = NAN; }), {"dropout"}));
    CHECK(names(refusal("encoder", [](C& c) { c.n_ctx = 3; }), {"4 tokens", "1 to 3"}));
    CHECK(names(refusal("encoder-decoder", [](C& c) { c.n_ctx = 3; }), {"tokens", "1 to 3"}));
    CHECK(refusal("encoder", [](C&) {}) == "");
}
