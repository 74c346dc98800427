#include <algorithm>
#include <atomic>
#include <optional>

#include "core/backend/cpu/cpu_backend.h"
#include "core/base/aligned.h"
#include "core/base/error.h"
#include "core/ops/attention.h"
#include "core/ops/ops.h"

namespace glassformer {

namespace {

// Three of the largest tiles. With so few rows the product reads the values in place, and the keys, packed once per
// head, stay packed.
constexpr std::int64_t rows_at_once = 42;
// Floats per cache line. A row must start at the same offset within a line as in the full table, because the order of
// summation depends on it.
constexpr std::int64_t line = 16;

using Step = std::shared_ptr<const ScoreStep>;

/// A chain of separate ops, as core/nn/attention.h builds it.
struct Chain {
    int scores = -1;
    std::vector<Step> steps;
    std::vector<int> seconds;  // for each step its second input, or −1
    std::vector<int> inside;   // nodes that nobody else may read
};

std::optional<Chain> chain_to(const Graph& graph, int mix) {
    Chain c;
    for (int id = graph[mix].inputs[0];; id = graph[id].inputs[0]) {
        const NodeInfo& info = graph[id];
        if (!info.op) return std::nullopt;
        c.inside.push_back(id);
        if (same_operation(*info.op, *ops::attention_scores())) {
            c.scores = id;
            std::ranges::reverse(c.steps);
            std::ranges::reverse(c.seconds);
            return c;
        }
        Step step = std::dynamic_pointer_cast<const ScoreStep>(info.op);
        if (!step) return std::nullopt;
        c.steps.push_back(std::move(step));
        c.seconds.push_back(info.inputs.size() > 1 ? info.inputs[1] : -1);
    }
}

/// Inputs: q, k, v, and the second inputs of those steps that have one.
class BlockedAttention final : public Op {
public:
    BlockedAttention(std::vector<Step> steps, std::vector<int> seconds, std::shared_ptr<AlignedFloats> memory,
                     int lanes)
        : steps_(std::move(steps)), seconds_(std::move(seconds)), memory_(std::move(memory)), lanes_(lanes) {}

    /// Working memory of a lane, in floats.
    static std::int64_t lane_floats(std::int64_t keys) {
        return ceil_div(rows_at_once * (keys + line) + line, line) * line;
    }

    std::string_view name() const override { return "blocked_attention"; }
    Shape infer_shape(std::span<const Shape> in) const override {
        return Shape{in[0][0], in[0][1], in[0][2], in[2][3]};
    }

    void forward(const ForwardArgs& a) const override {
        const Sizes s(a.inputs);
        const std::int64_t blocks = ceil_div(s.queries, rows_at_once), tasks = s.batch * s.heads * blocks;
        const kernel::PackingTicket packing = kernel::new_packing(s.batch * s.heads);
        std::atomic<std::int64_t> next{0};
        a.pool.run(std::min<std::int64_t>(lanes_, tasks), [&](std::int64_t lane) {
            float* const memory = memory_->data() + lane * lane_floats(s.keys);
            for (std::int64_t task; (task = next.fetch_add(1, std::memory_order_relaxed)) < tasks;)
                compute(a, s, task / blocks, task % blocks * rows_at_once,
                        packing + static_cast<kernel::PackingTicket>(task / blocks), memory);
        });
    }

    void backward(const BackwardArgs&) const override { refuse(); }
    OpExplanation explain(const ExplainArgs&) const override { refuse(); }

private:
    struct Sizes {
        std::int64_t batch, queries, keys, heads, head_width, value_width;
        explicit Sizes(std::span<const ConstView> in)
            : batch(in[0].shape[0]),
              queries(in[0].shape[1]),
              keys(in[1].shape[1]),
              heads(in[0].shape[2]),
              head_width(in[0].shape[3]),
              value_width(in[2].shape[3]) {}
    };

    /// Computes a block of queries, starting at `first`, of head `table` % heads of sentence `table` / heads.
    void compute(const ForwardArgs& a, const Sizes& s, std::int64_t table, std::int64_t first,
                 kernel::PackingTicket packing, float* memory) const {
        const std::int64_t sentence = table / s.heads, head = table % s.heads;
        const auto rows_of = [&](std::size_t input, std::int64_t positions, std::int64_t width) {
            const float* data = a.inputs[input].data + sentence * positions * s.heads * width;
            return kernel::head_rows(data, positions, s.heads, width, head);
        };
        ScoreRows rows{};
        rows.data = memory + (table * s.queries + first) * s.keys % line;
        rows.rows = std::min(rows_at_once, s.queries - first);
        rows.stride = s.keys + line;  // rows exactly 4,096 bytes apart would evict each other from the cache
        rows.keys = s.keys, rows.width = width(s, first + rows.rows - 1);
        rows.first = first, rows.queries = s.queries;
        rows.head = head, rows.heads = s.heads;

        const kernel::Operand q = rows_of(0, s.queries, s.head_width).middle_rows(first, rows.rows),
                              k = rows_of(1, s.keys, s.head_width).middle_rows(0, rows.width),
                              v = rows_of(2, s.keys, s.value_width).middle_rows(0, rows.width);
        kernel::multiply({rows.data, rows.stride}, q, k.transposed(), packing);
        for (std::size_t i = 0; i < steps_.size(); ++i) {
            rows.second = second(a, s, seconds_[i], sentence);
            steps_[i]->change(rows);
        }
        float* const z = a.output.data + (sentence * s.queries + first) * s.heads * s.value_width;
        kernel::multiply(kernel::head_target(z, s.heads, s.value_width, head, false),
                         {rows.data, rows.rows, rows.width, rows.stride, 1}, v);
    }

    /// The keys that a query may see, rounded up to whole blocks of a product.
    std::int64_t width(const Sizes& s, std::int64_t last_query) const {
        std::int64_t visible = s.keys;
        for (const Step& step : steps_) visible = std::min(visible, step->visible_keys(last_query, s.queries, s.keys));
        const std::int64_t blocks = ceil_div(std::max<std::int64_t>(visible, 1), kernel::packed_columns);
        return std::min(s.keys, blocks * kernel::packed_columns);
    }

    static const float* second(const ForwardArgs& a, const Sizes& s, int input, std::int64_t sentence) {
        if (input < 0) return nullptr;
        const ConstView& view = a.inputs[input];
        return view.data + sentence * (view.shape.elements() / s.batch);
    }

    [[noreturn]] void refuse() const { throw Error("attention in blocks of queries only runs forward"); }

    std::vector<Step> steps_;
    std::vector<int> seconds_;  // by step: index of its second input among this op's inputs, or −1
    std::shared_ptr<AlignedFloats> memory_;
    int lanes_;
};

void replace(Graph& graph, int mix, Chain chain, const std::shared_ptr<AlignedFloats>& memory, int lanes) {
    const NodeInfo& scores = graph[chain.scores];
    std::vector<int> inputs{scores.inputs[0], scores.inputs[1], graph[mix].inputs[1]};
    for (int& second : chain.seconds)
        if (second >= 0) {
            inputs.push_back(second);
            second = static_cast<int>(inputs.size()) - 1;
        }
    const auto floats = static_cast<std::size_t>(lanes * BlockedAttention::lane_floats(scores.shape[3]));
    memory->resize(std::max(memory->size(), floats));
    graph.replace(mix,
                  std::make_shared<BlockedAttention>(std::move(chain.steps), std::move(chain.seconds), memory, lanes),
                  std::move(inputs));
}

}  // namespace

std::shared_ptr<const Graph> block_attention(std::shared_ptr<const Graph> graph, const PlanRequest& request,
                                             std::int64_t from, int lanes) {
    if (request.loss >= 0 || request.watch) return graph;
    std::shared_ptr<Graph> blocked;
    std::vector<int> read;
    const auto memory = std::make_shared<AlignedFloats>();
    for (int id = 0; id < static_cast<int>(graph->nodes().size()); ++id) {
        const NodeInfo& info = (*graph)[id];
        if (!info.op || !same_operation(*info.op, *ops::attention_values())) continue;
        const Shape& table = (*graph)[info.inputs[0]].shape;
        if (table[2] * table[3] < from * from) continue;
        std::optional<Chain> chain = chain_to(*graph, id);
        if (!chain) continue;
        if (read.empty()) read = readers(*graph, request);
        if (read[id] == 0) continue;  // does not run: only whoever keeps the pattern reads it
        const bool seen = std::ranges::any_of(chain->inside, [&](int inner) { return read[inner] != 1; });
        if (seen) continue;
        if (!blocked) blocked = graph->copy();
        replace(*blocked, id, std::move(*chain), memory, lanes);
    }
    if (!blocked) return graph;
    return blocked;
}

}  // namespace glassformer
