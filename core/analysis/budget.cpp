#include "core/analysis/budget.h"

#include <algorithm>
#include <map>

#include "core/base/error.h"
#include "core/graph/hook_names.h"
#include "core/graph/plan.h"
#include "core/nn/transformer.h"

namespace glassformer {

namespace {

bool is_one_of(std::string_view quantity, std::initializer_list<std::string_view> names) {
    return std::ranges::find(names, quantity) != names.end();
}

/// The part that a parameter belongs to, by its name.
BudgetPart part_of(std::string_view name) {
    const NodePlace place = node_place(name);
    const std::string_view within = place.within, last = place.quantity;
    if (within.starts_with("embed.")) return BudgetPart::embedding;
    if (within.starts_with("pos_embed.")) return BudgetPart::positions;
    if (within.starts_with("unembed.")) return BudgetPart::unembedding;
    if (within.starts_with("rnn.")) return BudgetPart::recurrent;
    if (place.module == NodePlace::Module::mlp) return BudgetPart::mlp;
    if (place.module == NodePlace::Module::norm) return BudgetPart::norms;
    if (!place.attention()) return BudgetPart::head;
    if (is_one_of(last, {"W_Q", "b_Q", "W_QKV", "b_QKV"})) return BudgetPart::query;
    if (is_one_of(last, {"W_K", "b_K"})) return BudgetPart::key;
    if (is_one_of(last, {"W_V", "b_V"})) return BudgetPart::value;
    if (is_one_of(last, {"W_O", "b_O"})) return BudgetPart::output;
    return BudgetPart::norms;  // q_norm.w, k_norm.w
}

/// Merges equal terms by counting them.
void add_term(std::vector<BudgetTerm>& terms, std::string name, std::vector<std::int64_t> factors) {
    const auto known =
        std::ranges::find_if(terms, [&](const BudgetTerm& t) { return t.name == name && t.factors == factors; });
    if (known != terms.end())
        ++known->times;
    else
        terms.push_back({std::move(name), std::move(factors), 1});
}

std::vector<std::int64_t> sizes(const Shape& shape) { return {shape.sizes().begin(), shape.sizes().end()}; }

/// The size of all axes but the last: tokens, or 1 for a sentence vector.
std::int64_t rows(const Shape& shape) { return shape.elements() / shape.back(); }

bool is_norm(OpRole role) {
    return role == OpRole::norm_statistic || role == OpRole::norm_normalize || role == OpRole::norm_affine;
}

class Counting {
public:
    explicit Counting(const Graph& graph) : graph_(graph) {}

    void count_parameters() {
        for (const int id : graph_.parameters()) {
            const std::string& name = graph_[id].name;
            add_term(lines_[part_of(name)].parameters, std::string(node_place(name).quantity), sizes(graph_[id].shape));
        }
    }
    void count_multiplications(const std::vector<int>& ops) {
        for (const int id : ops) count(id);
    }
    std::vector<BudgetLine> lines() {
        std::vector<BudgetLine> all;
        for (auto& [part, line] : lines_) {
            line.part = part;
            all.push_back(std::move(line));
        }
        return all;
    }

private:
    void count(int id) {
        const NodeInfo& info = graph_[id];
        const OpRole role = graph_.role(id);
        const auto input = [&](int i) -> const NodeInfo& { return graph_[info.inputs[i]]; };
        const Shape& shape = info.shape;
        if (role == OpRole::linear || role == OpRole::recurrent_state) {
            const NodeInfo& w = input(1);
            add(part_of(w.name), "x · " + std::string(node_place(w.name).quantity),
                {rows(shape), w.shape[0], w.shape[1]});
        } else if (role == OpRole::unembedding) {
            add(BudgetPart::unembedding, "x · " + std::string(node_place(input(1).name).quantity) + "ᵀ",
                {rows(shape), input(1).shape[1], input(1).shape[0]});
        } else if (role == OpRole::attention_scores) {
            add(BudgetPart::scores, "q · k", {shape[1], shape[2], shape[3], input(0).shape.back()});
        } else if (role == OpRole::attention_values) {
            const Shape& pattern = input(0).shape;
            add(BudgetPart::scores, "a · v", {pattern[1], pattern[2], pattern[3], shape.back()});
        } else if (is_norm(role)) {
            const Shape& read = role == OpRole::norm_statistic ? input(0).shape : shape;
            const char* const step = role == OpRole::norm_statistic   ? "Σ"
                                     : role == OpRole::norm_normalize ? "x̂"
                                                                      : "γ · x̂";
            add(BudgetPart::norms, step, {rows(read), read.back()});
        }
    }
    void add(BudgetPart part, std::string name, std::vector<std::int64_t> factors) {
        add_term(lines_[part].multiplications, std::move(name), std::move(factors));
    }

    const Graph& graph_;
    std::map<BudgetPart, BudgetLine> lines_;
};

/// The KV cache of all blocks, each limited to its window. The blocks differ only in that.
BudgetTerm kept_of(const TransformerConfig& c, int tokens) {
    if (!supports_kv_cache(c)) return {"K, V", {0}, 1};
    std::int64_t positions = 0;
    for (int block = 0; block < c.n_layers; ++block)
        positions += c.window_of(block) > 0 ? std::min(tokens, c.window_of(block)) : tokens;
    return {"K, V", {positions, c.n_key_value_heads(), c.d_head() + c.d_value()}, 1};
}

/// For one text, which may be longer than the model can read.
TransformerGraph graph_of(TransformerConfig config, int tokens) {
    if (tokens < 1) throw Error("a text needs at least one token");
    config.n_ctx = std::max(config.n_ctx, tokens);
    return build_transformer(config, {1, tokens, config.family == Family::encoder_decoder ? tokens : 0});
}

}  // namespace

double BudgetTerm::value() const {
    double product = static_cast<double>(times);
    for (const std::int64_t factor : factors) product *= static_cast<double>(factor);
    return product;
}

double sum_of(std::span<const BudgetTerm> terms) {
    double sum = 0;
    for (const BudgetTerm& term : terms) sum += term.value();
    return sum;
}

const BudgetLine* Budget::line(BudgetPart part) const {
    const auto found = std::ranges::find(lines, part, &BudgetLine::part);
    return found == lines.end() ? nullptr : &*found;
}

Budget budget_of(const TransformerConfig& config, int tokens) {
    const TransformerGraph model = graph_of(config, tokens);
    const TransformerGraph own = tokens > config.n_ctx ? graph_of(config, 1) : model;
    const Plan plan(*model.graph, {{model.logits}, -1});
    Counting parameters(*own.graph), passes(*model.graph);
    parameters.count_parameters();
    passes.count_multiplications(plan.forward());
    Budget budget;
    budget.tokens = tokens;
    budget.lines = parameters.lines();
    for (BudgetLine& more : passes.lines()) {
        const auto known = std::ranges::find(budget.lines, more.part, &BudgetLine::part);
        if (known != budget.lines.end())
            known->multiplications = std::move(more.multiplications);
        else
            budget.lines.push_back(std::move(more));
    }
    std::ranges::sort(budget.lines, {}, &BudgetLine::part);
    for (const BudgetLine& line : budget.lines) {
        budget.parameters += sum_of(line.parameters);
        budget.multiplications += sum_of(line.multiplications);
    }
    budget.kept = kept_of(config, tokens);
    budget.weights = {"a", {config.recurrent() ? 0 : config.n_heads, tokens, tokens}, 1};
    budget.forward = static_cast<double>(plan.arena_size());
    return budget;
}

double training_pass(const TransformerConfig& config, int tokens) {
    const TransformerGraph model = graph_of(config, tokens);
    return static_cast<double>(Plan(*model.graph, {{}, model.loss}).arena_size());
}

}  // namespace glassformer
