#include <doctest/doctest.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <numeric>

#include "core/analysis/patching.h"
#include "core/analysis/what_if_tracer.h"
#include "core/base/error.h"
#include "core/graph/hook_names.h"
#include "tests/core/error_of.h"
#include "tests/core/small_models.h"

using namespace glassformer;
using namespace glassformer::testing;
using what_if::HeadPatch;

namespace {

constexpr std::array parts{HeadPart::q, HeadPart::k, HeadPart::v, HeadPart::pattern, HeadPart::z};
using Matrix = std::vector<std::vector<double>>;  // [position, feature]

Matrix rows_of(const Trace& trace, const std::string& node, int head) {
    const std::vector<float> values = values_of(trace, {node, -1, head});
    const std::size_t width = trace.shape(trace.graph().at(node)).back();
    Matrix rows(values.size() / width);
    for (std::size_t i = 0; i < values.size(); ++i) rows[i / width].push_back(static_cast<double>(values[i]));
    return rows;
}

/// One head in double precision: q, k and v give its pattern, and the pattern and v give z.
struct Head {
    Matrix q, k, v, pattern, z;
    bool causal = false;

    Head(const Trace& trace, int block, int head, AttentionTo to = AttentionTo::itself) {
        const std::string attention = to == AttentionTo::source ? "cross_attn." : "attn.";
        const auto of = [&](const char* hook) { return rows_of(trace, block_hook(block, attention + hook), head); };
        q = of("hook_q"), k = of("hook_k"), v = of("hook_v");
        causal = trace.model().config.causal() && to == AttentionTo::itself;
        attend();
        mix();
    }
    void attend() {
        pattern.assign(q.size(), std::vector<double>(k.size(), 0.0));
        for (std::size_t i = 0; i < q.size(); ++i) {
            double sum = 0.0;
            for (std::size_t j = 0; j < (causal ? i + 1 : k.size()); ++j) {
                const double score = std::inner_product(q[i].begin(), q[i].end(), k[j].begin(), 0.0);
                sum += pattern[i][j] = std::exp(score / std::sqrt(static_cast<double>(q[i].size())));
            }
            for (double& weight : pattern[i]) weight /= sum;
        }
    }
    void mix() {
        z.assign(q.size(), std::vector<double>(v[0].size(), 0.0));
        for (std::size_t i = 0; i < q.size(); ++i)
            for (std::size_t j = 0; j < v.size(); ++j)
                for (std::size_t d = 0; d < v[j].size(); ++d) z[i][d] += pattern[i][j] * v[j][d];
    }
    Matrix& of(HeadPart part) {
        const std::array<Matrix*, 5> all{&q, &k, &v, &pattern, &z};
        return *all[static_cast<std::size_t>(part)];
    }
    /// Recomputes what depends on the part.
    void follow(HeadPart from) {
        if (from < HeadPart::v) attend();
        if (from != HeadPart::z) mix();
    }
};

void check_z(const Trace& trace, int block, int head, const Matrix& z) {
    const Matrix found = rows_of(trace, block_hook(block, "attn.hook_z"), head);
    for (std::size_t i = 0; i < z.size(); ++i)
        for (std::size_t d = 0; d < z[i].size(); ++d) CHECK(found[i][d] == doctest::Approx(z[i][d]).epsilon(1e-4));
}

/// Returns the logits of a run with z, computed by hand, written into it.
std::vector<float> logits_with(SmallModel& model, int block, int head, const Matrix& z) {
    const auto plain = model.trace(sentence_a);
    std::vector<float> cells;
    for (const std::vector<double>& row : z)
        for (const double value : row) cells.push_back(static_cast<float>(value));
    const auto with =
        model.trace(sentence_a, {set_cells(plain->model(), {block_hook(block, "attn.hook_z"), -1, head}, cells)});
    const auto logits = with->values("logits");
    return {logits.begin(), logits.end()};
}

std::vector<std::unique_ptr<SmallModel>> plain_attention() {
    std::vector<std::unique_ptr<SmallModel>> models;
    models.push_back(small_model("encoder", [](TransformerConfig&) {}));
    models.push_back(small_model("decoder", [](TransformerConfig& c) { c.family = Family::decoder; }));
    return models;
}

void check_against(SmallModel& model, const HeadPatch& patch, const Trace& source, Head by_hand) {
    INFO(model.name, " ", describe(patch));
    const auto a = model.trace(sentence_a);
    const auto patched = model.trace(sentence_a, {patch_head(patch, a->model(), source)});
    by_hand.follow(patch.part);
    check_z(*patched, patch.block, patch.head, by_hand.z);
    const std::vector<float> expected = logits_with(model, patch.block, patch.head, by_hand.z);
    const auto found = patched->values("logits");
    for (std::size_t i = 0; i < expected.size(); ++i)
        CHECK(static_cast<double>(found[i]) == doctest::Approx(static_cast<double>(expected[i])).epsilon(1e-4));
    const std::string z = block_hook(patch.block, "attn.hook_z");
    for (int head = 0; head < model.config.n_heads; ++head)
        if (head != patch.head) CHECK(values_of(*patched, {z, -1, head}) == values_of(*a, {z, -1, head}));
}

}  // namespace

TEST_CASE("patching a part of a head from the other sentence equals a forward pass by hand") {
    for (const auto& model : plain_attention()) {
        const auto a = model->trace(sentence_a), b = model->trace(sentence_b);
        for (const HeadPart part : parts)
            for (const int position : {-1, 0, 3}) {
                const HeadPatch patch{.block = 1, .head = 2, .part = part, .position = position};
                Head by_hand(*a, 1, 2), other(*b, 1, 2);
                for (int at = 0; at < a->positions(); ++at)
                    if (position < 0 || at == position) by_hand.of(part)[at] = other.of(part)[at];
                check_against(*model, patch, *b, by_hand);
            }
    }
}

TEST_CASE("patching a part of a head with the mean over its words equals a forward pass by hand") {
    for (const auto& model : plain_attention()) {
        const auto a = model->trace(sentence_a);
        for (const HeadPart part : parts)
            for (const int position : {-1, 1, 4}) {
                const HeadPatch patch{
                    .block = 0, .head = 1, .part = part, .position = position, .source = PatchSource::mean};
                Head by_hand(*a, 0, 1);
                Matrix& rows = by_hand.of(part);
                std::vector<double> mean(rows[0].size(), 0.0);
                for (const auto& row : rows)
                    for (std::size_t i = 0; i < row.size(); ++i) mean[i] += row[i] / static_cast<double>(rows.size());
                for (int at = 0; at < a->positions(); ++at) {
                    if (position >= 0 && at != position) continue;
                    rows[at] = mean;
                    if (part != HeadPart::pattern) continue;
                    if (model->config.causal()) std::fill(rows[at].begin() + at + 1, rows[at].end(), 0.0);
                    const double sum = std::accumulate(rows[at].begin(), rows[at].end(), 0.0);
                    for (double& weight : rows[at]) weight /= sum;
                }
                check_against(*model, patch, *a, by_hand);
            }
    }
}

TEST_CASE("patching from a sentence of another length uses the aligned words") {
    for (const auto& model : plain_attention()) {
        const auto a = model->trace(sentence_a), b = model->trace({9, 4, 2, 11, 7, 6, 3});
        const PatchPartners partners{1, -1, 2, 3, 6};
        for (const HeadPart part : parts)
            for (const int position : {-1, 3}) {
                const HeadPatch patch{.block = 1, .head = 0, .part = part, .position = position, .partners = partners};
                Head by_hand(*a, 1, 0), other(*b, 1, 0);
                for (int at = 0; at < a->positions(); ++at) {
                    if (partners[at] < 0 || (position >= 0 && at != position)) continue;
                    const std::vector<double>& from = other.of(part)[partners[at]];
                    std::vector<double>& row = by_hand.of(part)[at];
                    if (part != HeadPart::pattern) {
                        row = from;
                        continue;
                    }
                    double sum = 0.0;
                    for (std::size_t key = 0; key < row.size(); ++key)
                        sum += row[key] = partners[key] < 0 ? 0.0 : from[partners[key]];
                    for (double& weight : row) weight /= sum;
                }
                check_against(*model, patch, *b, by_hand);
            }
        const auto why = [&](const HeadPatch& patch) { return error_of([&] { patch_head(patch, a->model(), *b); }); };
        CHECK(contains(why({}), "5 and 7 tokens"));
        CHECK(contains(why({.position = 5, .partners = partners}), "no position 5"));
        CHECK(contains(why({.position = 1, .partners = partners}), "no word of the other"));
        CHECK(contains(why({.partners = {-1, -1, -1, -1, -1}}), "no word of the other"));
        CHECK(contains(why({.partners = {0, 1, 2, 3, 7}}), "one position of the other"));
        CHECK(contains(why({.partners = {0, 1}}), "one position of the other"));
        CHECK(contains(why({.head = 3}), "no head 3"));
    }
}

TEST_CASE("with grouped queries, patching a key or value reaches every head of the group") {
    const auto model = small_model("grouped", [](TransformerConfig& c) {
        c.family = Family::decoder, c.d_model = 16, c.n_heads = 4, c.positions = Positions::rotary;
        c.attention.n_key_value_heads = 2;
    });
    CHECK(heads_sharing(model->config, 1, HeadPart::v) == std::vector{0, 1});
    CHECK(heads_sharing(model->config, 2, HeadPart::k) == std::vector{2, 3});
    CHECK(heads_sharing(model->config, 2, HeadPart::q) == std::vector{2});
    CHECK(parts_sharing(model->config, HeadPart::k).empty());
    const auto a = model->trace(sentence_a), b = model->trace(sentence_b);
    for (const HeadPart part : parts) {
        const HeadPatch patch{.block = 1, .head = 3, .part = part, .position = 1};
        INFO(describe(patch));
        const auto patched = model->trace(sentence_a, {patch_head(patch, a->model(), *b)});
        const std::string z = "blocks.1.attn.hook_z";
        const std::vector<int> reached = heads_sharing(model->config, 3, part);
        for (int head = 0; head < 4; ++head) {
            const bool changed = values_of(*patched, {z, -1, head}) != values_of(*a, {z, -1, head});
            CHECK(changed == (std::ranges::find(reached, head) != reached.end()));
        }
    }
}

namespace {

TransformerConfig translator() {
    TransformerConfig config = small_config();
    config.family = Family::encoder_decoder;
    return config;
}

const TraceInput translation_a{{4, 7, 2, 11}, {5, 3, 9, 6, 2}}, translation_b{{4, 9, 2, 17}, {5, 8, 1, 6, 12}},
    longer{{4, 9, 2, 17, 3}, {5, 8, 3, 9, 6, 12, 2}};

/// Checks a patch of attention to the source against the head computed by hand in double, whose z is written into a
/// run.
void check_cross(SmallModel& model, const HeadPatch& patch, const Trace& found, Head by_hand) {
    INFO(describe(patch));
    by_hand.follow(patch.part);
    const std::string z = block_hook(patch.block, "cross_attn.hook_z");
    const Matrix rows = rows_of(found, z, patch.head);
    std::vector<float> cells;
    for (std::size_t i = 0; i < rows.size(); ++i)
        for (std::size_t d = 0; d < rows[i].size(); ++d) {
            CHECK(rows[i][d] == doctest::Approx(by_hand.z[i][d]).epsilon(1e-5).scale(0.1));
            cells.push_back(static_cast<float>(by_hand.z[i][d]));
        }
    const auto with =
        model.tracer.trace(translation_a, model.parameters, {set_cells(found.model(), {z, -1, patch.head}, cells)});
    const std::span<const float> expected = with->values("logits"), logits = found.values("logits");
    for (std::size_t i = 0; i < expected.size(); ++i)
        CHECK(static_cast<double>(logits[i]) ==
              doctest::Approx(static_cast<double>(expected[i])).epsilon(1e-5).scale(1.0));
}

/// Returns a part's row at a word of another sentence; a pattern's row takes the partners' keys and sums to 1 again.
std::vector<double> row_from(Head& other, HeadPart part, int from, const PatchPartners& keys) {
    std::vector<double> row = other.of(part)[static_cast<std::size_t>(from)];
    if (part != HeadPart::pattern || keys.empty()) return row;
    std::vector<double> kept;
    double sum = 0.0;
    for (const int key : keys) sum += kept.emplace_back(key < 0 ? 0.0 : row[static_cast<std::size_t>(key)]);
    for (double& weight : kept) weight /= sum;
    return kept;
}

}  // namespace

TEST_CASE("patching a part of a cross-attention head, from B or with the mean, equals a forward pass by hand") {
    SmallModel model("translator", translator());
    const auto a = model.tracer.trace(translation_a, model.parameters);
    const PatchPartners words{0, -1, 2, 4}, source{0, 2, 3, 4, -1};
    for (const bool aligned : {false, true}) {
        const auto b = model.tracer.trace(aligned ? longer : translation_b, model.parameters);
        for (const HeadPart part : parts)
            for (const PatchSource from : {PatchSource::other, PatchSource::mean})
                for (const int position : {-1, 0, 3}) {
                    HeadPatch patch{.block = 1,
                                    .head = 2,
                                    .part = part,
                                    .position = position,
                                    .source = from,
                                    .to = AttentionTo::source};
                    if (aligned) patch.partners = words, patch.source_partners = source;
                    const PatchPartners own = !aligned                       ? PatchPartners()
                                              : is_of_source(part, patch.to) ? source
                                                                             : words;
                    Head by_hand(*a, 1, 2, AttentionTo::source), other(*b, 1, 2, AttentionTo::source);
                    Matrix& rows = by_hand.of(part);
                    std::vector<double> mean(rows[0].size());
                    for (const auto& row : rows)
                        for (std::size_t i = 0; i < row.size(); ++i)
                            mean[i] += row[i] / static_cast<double>(rows.size());
                    for (int at = 0; at < static_cast<int>(rows.size()); ++at) {
                        if (position >= 0 && at != position) continue;
                        const int place = own.empty() ? at : own[static_cast<std::size_t>(at)];
                        if (from == PatchSource::mean)
                            rows[static_cast<std::size_t>(at)] = mean;
                        else if (place >= 0)
                            rows[static_cast<std::size_t>(at)] =
                                row_from(other, part, place, aligned ? source : PatchPartners());
                    }
                    const Intervention cells = patch_head(patch, a->model(), from == PatchSource::mean ? *a : *b);
                    check_cross(model, patch, *model.tracer.trace(translation_a, model.parameters, {cells}), by_hand);
                }
    }
    const auto refused = [&](const HeadPatch& patch, const Trace& from) {
        return error_of([&] { patch_head(patch, a->model(), from); });
    };
    const auto other = model.tracer.trace(longer, model.parameters);
    CHECK(contains(refused({.part = HeadPart::k, .to = AttentionTo::source}, *other), "5 and 7 tokens"));
    CHECK(contains(refused({.part = HeadPart::v, .position = 5, .to = AttentionTo::source}, *a), "no position 5"));
    CHECK(contains(refused({.part = HeadPart::pattern, .partners = words, .to = AttentionTo::source}, *other),
                   "5 and 7 tokens"));
    CHECK(contains(refusal(HeadPatch{.to = AttentionTo::source}, small_config()), "no cross-attention"));
}

TEST_CASE("the patch grid of a cross-attention head has columns for the source's words first, for k and v") {
    SmallModel model("translator", translator());
    const auto a = model.tracer.trace(translation_a, model.parameters),
               b = model.tracer.trace(translation_b, model.parameters);
    const LogitDifference difference{3, 3, 8};
    const PatchGrid grid =
        patch_grid(model.backend, *a, *b, PatchedHead{0, 1, PatchSource::other, AttentionTo::source}, difference);
    REQUIRE(grid.source == 5);
    REQUIRE(grid.columns == 10);
    for (int row = 0; row < 5; ++row)
        for (int column = 0; column < 10; ++column) {
            const HeadPart part = parts[static_cast<std::size_t>(row)];
            const bool every = column == 9, there = every || is_of_source(part, AttentionTo::source) == (column < 5);
            CHECK(std::isnan(grid.at(row, column)) == !there);
            if (!there) continue;
            const HeadPatch patch{.block = 0,
                                  .head = 1,
                                  .part = part,
                                  .position = every        ? -1
                                              : column < 5 ? column
                                                           : column - 5,
                                  .to = AttentionTo::source};
            const auto one = model.tracer.trace(translation_a, model.parameters, {patch_head(patch, a->model(), *b)});
            CHECK(grid.at(row, column) == difference.of(*one));
        }
}

TEST_CASE("a part of a head can be set to its mean over the world's sentences, which is computed once") {
    for (const bool cross : {false, true}) {
        SmallModel model("model", cross ? translator() : small_config());
        const AttentionTo to = cross ? AttentionTo::source : AttentionTo::itself;
        std::vector<TraceInput> world{translation_b, longer, {{3, 8}, {7}}};
        TraceInput own = translation_a;
        if (!cross) {
            own.source_tokens = {};
            for (TraceInput& sentence : world) sentence.source_tokens = {};
        }
        const auto a = model.tracer.trace(own, model.parameters);
        WhatIfTracer tracer(model.backend, model.config);
        int asked = 0;
        tracer.set_world([&] { return ++asked, world; });
        for (const HeadPart part : {HeadPart::q, HeadPart::k, HeadPart::v, HeadPart::z}) {
            const HeadPatch patch{.block = 1, .head = 1, .part = part, .source = PatchSource::world, .to = to};
            std::vector<double> sum;
            double count = 0.0;
            for (const TraceInput& sentence : world) {
                const auto trace = model.tracer.trace(sentence, model.parameters);
                const HookPoint place = place_of(model.config, 1, 1, part, -1, to);
                for (const std::vector<double>& row : rows_of(*trace, place.node, 1)) {
                    sum.resize(row.size());
                    for (std::size_t i = 0; i < row.size(); ++i) sum[i] += row[i];
                    ++count;
                }
            }
            std::vector<float> mean;
            for (const double x : sum) mean.push_back(static_cast<float>(x / count));
            const auto truth = model.tracer.trace(
                own, model.parameters, {set_cells(a->model(), place_of(model.config, 1, 1, part, -1, to), mean)});
            const std::vector<WhatIf> changes{patch};
            const WhatIfRun run{own, 0, {}};
            CHECK(tracer.refusal(run, patch, changes).empty());
            for (int again = 0; again < 2; ++again)
                CHECK(same_bytes(tracer.trace(run, model.parameters, changes)->values("logits"),
                                 truth->values("logits")));
            // With the norms off, the mean is that of the altered model.
            const std::vector<WhatIf> both{what_if::NormOff{}, patch};
            CHECK_FALSE(
                same_bytes(tracer.trace(run, model.parameters, both)->values("logits"), truth->values("logits")));
        }
        CHECK(asked == 1);
        CHECK(refusal(HeadPatch{.part = HeadPart::pattern, .source = PatchSource::world}, model.config) != "");
        WhatIfTracer alone(model.backend, model.config);
        CHECK(alone.refusal({own, 0, {}}, HeadPatch{.source = PatchSource::world, .to = to}, {}) == no_world_sentences);
        const LogitDifference difference{2, 3, 8};
        PatchGridRun grid(model.backend, *a, *a, PatchedHead{1, 1, PatchSource::world, to}, difference, {}, world);
        while (grid.done() < grid.total()) grid.step();
        const std::vector<WhatIf> changes{HeadPatch{.block = 1, .head = 1, .source = PatchSource::world, .to = to}};
        CHECK(grid.grid().at(2, grid.grid().columns - 1) ==
              difference.of(*tracer.trace({own, 0, {}}, model.parameters, changes)));
        CHECK(std::isnan(grid.grid().at(3, 0)));  // a pattern has no mean
    }
}
