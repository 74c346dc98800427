#include "app/common/stages.h"

#include <algorithm>
#include <cmath>
#include <optional>
#include <utility>

#include "app/language/tr.h"
#include "app/ui/memo.h"
#include "core/graph/hook_names.h"

namespace glassformer::app {

namespace {

std::size_t as_index(int index) { return static_cast<std::size_t>(index); }

bool is_view(const Graph& graph, int node) {
    return graph[node].kind == NodeInfo::Kind::op && graph[node].op->is_view();
}

/// The name of the node of that kind at `where`.
std::string full_name(const StageKind& kind, const Stage& where, int blocks) {
    const std::string hook(kind.hook);
    if (where.source && hook == "tokens") return "source_tokens";
    const int block = where.source ? where.source_block : where.block;
    if (block >= 0 && (where.source || block < blocks)) return block_hook(block, hook, where.source);
    return where.source ? "encoder." + hook : hook;
}

/// The full name of a node in the stage's block.
std::string in_block(const Stage& stage, std::string_view name) {
    return block_hook(stage.source ? stage.source_block : stage.block, name, stage.source);
}

/// RMSNorm and batch norm end with the same op as LayerNorm.
std::string_view norm_label(const Graph& graph, int node, NormKind norm, std::string_view label) {
    if (graph.role(node) != OpRole::norm_affine) return label;
    const bool last = label.starts_with("final");
    if (norm == NormKind::rms_norm) return last ? N_("final RMS") : N_("RMS");
    if (norm == NormKind::batch_norm) return last ? N_("final BN") : N_("BN");
    return label;
}

/// Some stages keep their hook where models compute something else.
std::string_view meaning_of_stage(const StageKind& kind, const TransformerConfig& c, OpRole role) {
    if (role == OpRole::norm_affine && c.norm == NormKind::rms_norm)
        return N_(
            "RMSNorm\nEach {1}'s vector is divided by the root of the mean of its squared features, then multiplied by "
            "learned weights.");
    if (role == OpRole::norm_affine && c.norm == NormKind::batch_norm)
        return N_(
            "batch norm\nEach feature is shifted and scaled to mean 0 and standard deviation 1 over many {2}, then "
            "multiplied by learned weights.");
    if (kind.hook == "hook_embed" && c.input == InputKind::values)
        return N_("embedding\nA learned matrix turns the numbers at each {1} into a vector as wide as the model.");
    const bool gated = c.activation == Activation::swiglu || c.activation == Activation::geglu_tanh;
    if (kind.hook == "mlp.hook_post" && gated)
        return N_("MLP post\nEach neuron's second weighted sum, multiplied by its gate.");
    if (kind.hook == "mlp.hook_gate" && c.activation == Activation::geglu_tanh)
        return N_("gate\nHow open each neuron is: GELU of its first sum.");
    if (kind.hook == "logits" && c.output == OutputKind::values)
        return N_("prediction\nWhat the model predicts at each {1}: weighted sums of its vector.");
    if (kind.hook == "logits" && c.output == OutputKind::classes)
        return N_("logits\nHow well the sentence's vector matches each class. The highest is shown.");
    if (kind.hook == "probabilities" && c.output == OutputKind::classes)
        return N_("probabilities\nSoftmax over the classes: the logits become probabilities that add up to 1.");
    return kind.meaning;
}

}  // namespace

bool Stage::belongs_to(const Stage& other) const {
    const auto whole = [](const StageKind& k) { return k.part_of.empty() ? k.hook : k.part_of; };
    return same_place(other) && whole(*kind) == whole(*other.kind);
}

Stages::Stages(const TransformerGraph& model) : config_(model.config), blocks_(model.config.n_layers) {
    const Graph& graph = *model.graph;
    const bool translates = model.config.family == Family::encoder_decoder;
    collect_before(graph, translates ? model.config.encoder_layers() : 0);
    for (int block = 0; block < blocks_; ++block) collect_block(graph, block);
    const std::size_t after = walk_.size();
    collect(graph, {.block = blocks_}, stage_kinds_after());
    sort_from(after);
    number_runs();
    find_names(graph);
}

// A node that plays several roles (one projection for query, key and value) is one stage with all their names.
void Stages::collect(const Graph& graph, const Stage& where, std::span<const StageKind> kinds) {
    for (const StageKind& kind : kinds) {
        const std::string name = full_name(kind, where, blocks_);
        const std::optional<int> node = graph.find(name);
        if (!node || (kind.norm && *kind.norm != config_.norm)) continue;
        if (kind.hard && *kind.hard != config_.attention.hard) continue;
        if (kind.name == StageName::own && graph[*node].name != name) continue;
        const auto same = std::ranges::find(walk_, *node, &Stage::node);
        if (same == walk_.end()) {
            Stage stage = where;
            stage.kind = &kind, stage.node = *node;
            stage.hook = where.source ? name : std::string(kind.hook);
            stage.label = norm_label(graph, *node, config_.norm, kind.label);
            stage.meaning = meaning_of_stage(kind, config_, graph.role(*node));
            walk_.push_back(std::move(stage));
        } else if (same->same_place(where) && kind.group == same->kind->group) {
            same->label += "=" + std::string(kind.label);
        }
    }
}

// Node IDs follow the order of execution.
void Stages::sort_from(std::size_t first) {
    std::stable_sort(walk_.begin() + static_cast<std::ptrdiff_t>(first), walk_.end(),
                     [](const Stage& a, const Stage& b) { return a.node < b.node; });
}

// The encoder of a translation runs before the model's blocks, so its stages are among the first ones.
void Stages::collect_before(const Graph& graph, int source_blocks) {
    collect(graph, {}, stage_kinds_before());
    if (source_blocks > 0) collect(graph, {.source = true}, stage_kinds_before());
    for (int block = 0; block < source_blocks; ++block)
        collect(graph, {.source = true, .source_block = block}, stage_kinds_in_block().subspan(1));
    sort_from(0);
    // The source tokens are the very first nodes, but they are shown with the encoder's stages.
    const auto turn = [](const Stage& stage) { return stage.source ? 1 : stage.hook.starts_with("encoder.") ? 2 : 0; };
    std::ranges::stable_sort(walk_, {}, turn);
}

void Stages::collect_block(const Graph& graph, int block) {
    const std::size_t first = walk_.size();
    const StageKind& in = stage_kinds_in_block()[0];
    if (const auto node = graph.find(full_name(in, {.block = block}, blocks_)))
        entries_.push_back({&in, *node, block, std::string(in.hook), std::string(in.label), in.meaning, "stage x"});
    collect(graph, {.block = block}, stage_kinds_in_block().subspan(1));
    sort_from(first);
}

void Stages::number_runs() {
    for (std::size_t i = 0; i < walk_.size(); ++i) {
        Stage& stage = walk_[i];
        if (i > 0) {
            const Stage& before = walk_[i - 1];
            stage.run = before.run + (!before.same_place(stage) || before.kind->group != stage.kind->group);
        }
        int nth = 1;
        for (std::size_t j = 0; j < i; ++j) nth += walk_[j].same_place(stage) && walk_[j].label == stage.label;
        const bool part = !stage.kind->part_of.empty();
        const bool source = stage.source || (part && stage.block < 0), last = part && stage.block == blocks_;
        stage.item = std::string(source ? "stage source "
                                 : last ? "stage final "
                                        : "stage ") +
                     stage.label + (nth > 1 ? " " + std::to_string(nth) : "");
    }
    for (Stage& entry : entries_)
        for (const Stage& stage : walk_)
            if (stage.block == entry.block && entry.run == 0) entry.run = stage.run;
}

// Views of one memory are one stage, and the sum over all heads belongs to the stage of a head's result.
void Stages::find_names(const Graph& graph) {
    of_.assign(graph.nodes().size(), -1);
    for (std::size_t i = 0; i < walk_.size(); ++i) {
        const Stage& stage = walk_[i];
        of_[stage.node] = static_cast<int>(i);
        if (is_view(graph, stage.node) && of_[graph[stage.node].inputs[0]] < 0)
            of_[graph[stage.node].inputs[0]] = static_cast<int>(i);
        if (stage.kind->hook != "attn.hook_result" && stage.kind->hook != "cross_attn.hook_result") continue;
        const bool cross = stage.kind->group == StageGroup::cross_attention;
        const std::string sum = in_block(stage, cross ? "hook_cross_attn_out" : "hook_attn_out");
        if (const auto node = graph.find(sum); node && of_[*node] < 0) of_[*node] = static_cast<int>(i);
    }
    for (int node = 0; node < static_cast<int>(of_.size()); ++node)
        if (of_[node] < 0 && is_view(graph, node)) of_[node] = of_[graph[node].inputs[0]];
}

const Stage* Stages::entry(int block) const {
    if (block <= 0) return nullptr;
    const auto found = std::ranges::find(entries_, block, &Stage::block);
    return found == entries_.end() ? nullptr : &*found;
}

int Stages::of(int node) const { return node >= 0 && as_index(node) < of_.size() ? of_[node] : -1; }

const Stage* Stages::find(int block, std::string_view hook) const {
    for (const Stage& stage : walk_)
        if (stage.hook == hook && (stage.block == block || stage.block < 0 || stage.block == blocks_)) return &stage;
    // The input of block 0 is the last of the stages before it.
    const auto in = std::ranges::find(entries_, block, &Stage::block);
    if (in == entries_.end() || in->hook != hook) return nullptr;
    return block > 0 ? &*in : of(in->node) < 0 ? nullptr : &walk_[of(in->node)];
}

int Stages::reached(int node) const {
    int count = 0;
    for (const Stage& stage : walk_) count += stage.node <= node;
    return count;
}

std::shared_ptr<const Stages> stages_of(const Trace& trace) {
    // Two sentences, and the two that were watched before.
    static thread_local Memo<SharedKey<Graph>, std::shared_ptr<const Stages>, 4> known;
    return known(trace.model().graph, [&] { return std::make_shared<const Stages>(trace.model()); });
}

namespace {

/// Of `count` cells from `first`, the one furthest from 0; with `signed_too`, the largest.
Cell outstanding(const Trace& trace, int node, std::int64_t first, std::int64_t count, bool signed_too = false) {
    const SliceView part = trace.part(node, trace.slices(node).around(first, count));
    const auto values = part.cells(first, count);
    const auto found = std::ranges::max_element(values, {}, [&](float v) { return signed_too ? v : std::abs(v); });
    return {node, first + (found - values.begin())};
}

/// The word that the chosen one attends to most in the head; itself if there is no attention.
std::int64_t strongest(const Trace& trace, const std::string& attention, int head, int token) {
    const std::optional<int> node = trace.graph().find(attention + ".hook_pattern");
    if (!node) return token;
    const std::int64_t keys = trace.graph()[*node].shape.back(), queries = trace.graph()[*node].shape.back(1);
    const std::int64_t row = (head * queries + token) * keys;
    return outstanding(trace, *node, row, keys, true).offset - row;
}

/// A word's neuron that is furthest from 0 after the activation function.
std::int64_t strongest_neuron(const Trace& trace, const Stage& stage, std::int64_t first, std::int64_t width) {
    const std::optional<int> post = trace.graph().find(in_block(stage, "mlp.hook_post"));
    return outstanding(trace, post.value_or(stage.node), first, width).offset - first;
}

}  // namespace

int stage_position(const ViewState& state, const Trace& trace, int slot, const Stage& stage) {
    const int token = std::clamp(state.token[slot], 0, trace.positions() - 1);
    const StageCell cell = stage.kind->cell;
    if (!stage.source && cell != StageCell::source && cell != StageCell::source_token) return token;
    const std::string looks = block_hook(state.layer, "cross_attn");
    return static_cast<int>(strongest(trace, looks, state.head, token));
}

Cell stage_cell(const ViewState& state, const Trace& trace, int slot, const Stage& stage) {
    const Shape& shape = trace.graph()[stage.node].shape;
    const int token = stage_position(state, trace, slot, stage), head = state.head;
    const int positions = stage.source ? static_cast<int>(trace.source_tokens().size()) : trace.positions();
    const bool cross = stage.kind->group == StageGroup::cross_attention;
    const std::string attention = in_block(stage, cross ? "cross_attn" : "attn");
    const auto in_head = [&](std::int64_t position) {
        return outstanding(trace, stage.node, (position * shape.back(1) + head) * shape.back(), shape.back());
    };
    const std::int64_t width = shape.elements() / std::max(1, positions), first = token * width;
    switch (stage.kind->cell) {
        case StageCell::token:
        case StageCell::source_token:
            return {stage.node, token};
        case StageCell::token_vector:
            return outstanding(trace, stage.node, first, width);
        case StageCell::token_head:
            return in_head(token);
        case StageCell::key_head:
            return in_head(strongest(trace, attention, head, token));
        case StageCell::pair: {
            const std::int64_t key = strongest(trace, attention, head, token);
            return {stage.node, (head * shape.back(1) + token) * shape.back() + key};
        }
        case StageCell::neuron:
            return {stage.node, first + strongest_neuron(trace, stage, first, width)};
        case StageCell::source:
            return outstanding(trace, stage.node, token * shape.back(), shape.back());
        case StageCell::whole:
            return outstanding(trace, stage.node, 0, shape.elements());
        case StageCell::largest:
            break;
    }
    const bool of_sentence = trace.model().config.output == OutputKind::classes;
    return outstanding(trace, stage.node, of_sentence ? 0 : first, of_sentence ? shape.elements() : width, true);
}

std::string stage_shape(const Trace& trace, const Stage& stage) {
    const Shape shape = trace.shape(stage.node);
    const bool classes = trace.model().config.output == OutputKind::classes;
    const bool out = stage.kind->cell == StageCell::largest;
    std::string text(out && classes ? "[class]" : stage.kind->axes);
    if (out && trace.model().config.output == OutputKind::values) text = "[pos, d_output]";
    for (int axis = 0; axis < shape.rank(); ++axis) text += (axis ? " × " : " ") + std::to_string(shape[axis]);
    return text;
}

}  // namespace glassformer::app
