#include "core/backend/gl/fused_attention.h"

#include <algorithm>
#include <optional>

#include "core/base/ceil_div.h"
#include "core/base/error.h"
#include "core/ops/ops.h"

namespace glassformer::gl {

namespace {

/// An op that only runs on the GPU. It is in no graph that anyone else sees.
class GpuOp : public Op {
public:
    void forward(const ForwardArgs&) const override { refuse(); }
    void backward(const BackwardArgs&) const override { refuse(); }
    OpExplanation explain(const ExplainArgs&) const override { refuse(); }

private:
    [[noreturn]] void refuse() const { throw Error("the op {1} runs with OpenGL alone", name()); }
};

class AttentionRows final : public GpuOp {
public:
    std::string_view name() const override { return "attention_rows"; }
    Shape infer_shape(std::span<const Shape> in) const override { return Shape{in[0][0], in[0][2], in[0][1], 2}; }
    bool has_gradient(int /*input*/) const override { return false; }
};

class Attention final : public GpuOp {
public:
    Attention(double factor, bool alibi, bool causal) : factor_(factor), alibi_(alibi), causal_(causal) {}

    std::string_view name() const override { return "attention"; }
    Shape infer_shape(std::span<const Shape> in) const override {
        return Shape{in[0][0], in[0][1], in[0][2], in[2][3]};
    }
    std::vector<OpAttribute> attributes() const override {
        return {{"factor", factor_}, {"alibi", alibi_ ? 1.0 : 0.0}, {"causal", causal_ ? 1.0 : 0.0}};
    }
    bool has_gradient(int input) const override { return input < 3; }
    bool backward_reads_output() const override { return true; }
    // A non-finite score makes the whole row of z NaN. A query to which the causal mask leaves no key has no scores.
    bool propagates_nonfinite(int input) const override { return input > 0 || !causal_; }

private:
    double factor_;
    bool alibi_, causal_;
};

/// Attention as separate ops, as core/nn/attention.h builds it.
struct Chain {
    int q = -1, k = -1, v = -1, pattern = -1;
    int keep = -1;  // the mask's input, or −1
    double factor = 1.0;
    bool alibi = false, causal = false;
    std::vector<int> inside;  // nodes that nobody else may read
};

/// The chain that ends in this attention_values, if it is one.
std::optional<Chain> chain_to(const Graph& graph, int mix) {
    Chain c;
    int id = c.pattern = graph[mix].inputs[0];
    c.v = graph[mix].inputs[1];
    // Moves on to the first input if the node is that op.
    const auto step = [&](const OpPtr& op) -> const NodeInfo* {
        const NodeInfo& info = graph[id];
        if (!info.op || !same_operation(*info.op, *op)) return nullptr;
        c.inside.push_back(id);
        id = info.inputs[0];
        return &info;
    };
    if (!step(ops::softmax())) return std::nullopt;
    if (const NodeInfo* mask = step(ops::mask())) c.keep = mask->inputs[1];
    c.causal = step(ops::mask_causal());
    const NodeInfo* alibi = step(ops::alibi());
    if (alibi && alibi->inputs.size() > 1) return std::nullopt;  // for a single word whose position is an input
    c.alibi = alibi;
    if (const NodeInfo* scale = step(ops::scale(1.0f))) c.factor = attribute(*scale->op, "factor");
    const NodeInfo* scores = step(ops::attention_scores());
    if (!scores) return std::nullopt;
    c.q = scores->inputs[0], c.k = scores->inputs[1];
    return c;
}

/// True if it is long enough to pay off, and neither too wide nor too long for one invocation.
bool is_long(const Graph& graph, const Chain& c, std::int64_t from, std::int64_t most_iterations) {
    const Shape& table = graph[c.pattern].shape;
    const std::int64_t queries = table[2], keys = table[3], head = graph[c.q].shape[3], value = graph[c.v].shape[3];
    return queries * keys >= from * from && std::max(head, value) <= widest_fused_head &&
           fused_iterations(std::max(queries, keys), head, value) <= most_iterations;
}

void replace(Graph& graph, int mix, const Chain& c) {
    graph.replace(c.pattern, std::make_shared<AttentionRows>(), {c.q});
    std::vector<int> inputs{c.q, c.k, c.v, c.pattern};
    if (c.keep >= 0) inputs.push_back(c.keep);
    graph.replace(mix, std::make_shared<Attention>(c.factor, c.alibi, c.causal), std::move(inputs));
}

}  // namespace

std::int64_t fused_iterations(std::int64_t others, std::int64_t head_width, std::int64_t value_width) {
    return ceil_div(others, 4) * (1 + 2 * ceil_div(head_width, 4) + ceil_div(value_width, 4));
}

bool is_attention_rows(const NodeInfo& info) { return info.op && same_operation(*info.op, AttentionRows()); }

std::shared_ptr<const Graph> fuse_attention(std::shared_ptr<const Graph> graph, const PlanRequest& request,
                                            std::int64_t from, std::int64_t most_iterations) {
    std::shared_ptr<Graph> fused;
    std::vector<int> read;
    for (int id = 0; id < static_cast<int>(graph->nodes().size()); ++id) {
        const NodeInfo& info = (*graph)[id];
        if (!info.op || !same_operation(*info.op, *ops::attention_values())) continue;
        const std::optional<Chain> chain = chain_to(*graph, id);
        if (!chain || !is_long(*graph, *chain, from, most_iterations)) continue;
        if (read.empty()) read = readers(*graph, request);
        if (read[id] == 0) continue;  // does not run: only whoever keeps the pattern reads it
        const bool seen = std::ranges::any_of(chain->inside, [&](int inner) { return read[inner] != 1; });
        if (seen) continue;
        if (!fused) fused = graph->copy();
        replace(*fused, id, *chain);
    }
    if (!fused) return graph;
    return fused;
}

}  // namespace glassformer::gl
