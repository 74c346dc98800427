#include "app/common/view_state.h"

#include <algorithm>

#include "app/common/card_scope.h"
#include "app/common/sentence_edit.h"
#include "app/common/stages.h"
#include "app/common/what_if_paint.h"
#include "core/graph/hook_names.h"

namespace glassformer::app {

namespace {

/// The stage that the explanation shows; if the model lacks it, the attention weights, or else the last stage.
const Stage& followed(const ViewState& state, const Stages& stages) {
    // If the cards show the attention to the source, its stage is meant.
    const Stage* stage = nullptr;
    if (state.cross_attention && state.stage.starts_with("attn."))
        stage = stages.find(state.layer, "cross_" + std::string(state.stage));
    if (!stage) stage = stages.find(state.layer, state.stage);
    if (!stage) stage = stages.find(state.layer, "attn.hook_pattern");
    return stage ? *stage : stages.walk().back();
}

void follow(ViewState& state, const Snapshot& snapshot) {
    const auto& trace = snapshot.sentences[state.slot].trace;
    state.trail.clear();
    if (!trace) return;
    const auto stages = stages_of(*trace);
    if (stages->walk().empty()) return;
    state.trail.push_back({state.slot, stage_cell(state, *trace, state.slot, followed(state, *stages))});
}

/// Remembers which stage of the chosen block is explained, so that another word shows the same stage.
void remember(ViewState& state, const Snapshot& snapshot) {
    const TracedCell& cell = state.trail.back();
    const auto stages = stages_of(*snapshot.sentences[cell.slot].trace);
    const Stage* entry = stages->entry(state.layer);
    const int found = stages->of(cell.cell.node);
    if (found < 0) return;
    const Stage& stage = stages->walk()[found];
    const bool outside = stage.block < 0 || stage.block == stages->blocks();
    if (entry && entry->node == cell.cell.node)
        state.stage = entry->hook;
    else if (outside || stage.block == state.layer)
        state.stage = stage.hook;
}

/// Resets the choices for another model: its nodes, heads and words differ.
void on_model_changed(ViewState& state, const Snapshot& snapshot) {
    if (state.model == snapshot.model.get()) return;
    const bool first = state.model == nullptr;
    state.model = snapshot.model.get();
    state.cross_attention = snapshot.model->translates();
    if (first) return;
    state.trail.clear();
    state.follow_strongest = true;
    state.hovered = state.hovering = state.linked = {};
    state.on_model_changed();
    if (!state.compare) state.slot = 0;  // the first start shows B, whose word attends more clearly to another one
    for (std::size_t slot = 0; slot < 2; ++slot)
        state.token[slot] = first_token(*snapshot.model, snapshot.sentences[slot]);
}

/// Handles a change of comparison. Two heads begin with the chosen one and its neighbour.
void meet_comparison(ViewState& state, const Snapshot& snapshot) {
    if (state.comparing == snapshot.comparing) return;
    const bool other_kind = state.comparing.what != snapshot.comparing.what;
    const bool other_model = state.comparing.folder != snapshot.comparing.folder;
    state.comparing = snapshot.comparing;
    const bool of_b = std::ranges::any_of(state.trail, [](const TracedCell& cell) { return cell.slot == 1; });
    if ((other_kind || other_model) && of_b) {
        state.trail.clear();
        state.follow_strongest = true;
    }
    if (!other_kind) return;
    const int heads = snapshot.model->config.n_heads;
    state.other_head = {state.layer, (state.head + 1) % heads};
    state.own<SentenceEdits>().of[1] = {};
    if (state.comparing.of_sentences()) state.token[1] = first_token(snapshot.model_of(1), snapshot.sentences[1]);
}

/// If both cards show the same text, a word is chosen in both.
void link_tokens(ViewState& state, const Snapshot& snapshot) {
    if (snapshot.comparing.of_sentences()) return;
    const std::size_t from = state.slot;
    const int count = static_cast<int>(snapshot.sentences[1 - from].tokens.size());
    if (count > 0 && !snapshot.sentences[from].tokens.empty())
        state.token[1 - from] = std::clamp(state.token[from], 0, count - 1);
}

/// True if reading every head would compute it first: a large model's trace has not kept the patterns.
bool patterns_to_make(const ViewState& state, const Snapshot& snapshot) {
    return std::ranges::any_of(snapshot.sentences, [&](const WatchedSentence& sentence) {
        return sentence.trace && has_attention(state, *sentence.trace) &&
               !sentence.trace->kept(hooked_node(state, *sentence.trace, "attn.hook_pattern"));
    });
}

/// The homonym's largest weight on another word in the chosen head; 0 if it attends most to itself, −1 if there is no
/// homonym or no attention.
float read_of_another(const ViewState& state, const Snapshot& snapshot, int slot) {
    const WatchedSentence& sentence = snapshot.sentences[slot];
    if (sentence.homonym_pos < 0 || !sentence.trace || !has_attention(state, *sentence.trace)) return -1;
    const int key = strongest_key(state, snapshot, slot, sentence.homonym_pos);
    if (key < 0 || key == sentence.homonym_pos) return 0;
    return sentence.trace->at(pattern_cell(state, *sentence.trace, sentence.homonym_pos, key));
}

}  // namespace

bool fits(const TracedCell& cell, const Snapshot& snapshot) {
    const auto& trace = snapshot.sentences[cell.slot].trace;
    return trace && cell.cell.node >= 0 && cell.cell.node < static_cast<int>(trace->graph().nodes().size()) &&
           cell.cell.offset < trace->graph()[cell.cell.node].shape.elements();
}

int first_token(const ModelInfo& model, const WatchedSentence& sentence) {
    const int count = static_cast<int>(sentence.tokens.size());
    if (sentence.homonym_pos >= 0 || count == 0) return std::max(0, sentence.homonym_pos);
    if (sentence.first_token >= 0 && sentence.first_token < count) return sentence.first_token;
    if (model.translates()) return std::min(1, count - 1);
    if (!model.config.causal()) return 0;
    // The first word of a text can only attend to itself; the last x of a prompt is the one that is asked about.
    return model.config.input == InputKind::values ? std::max(0, count - 2) : count - 1;
}

void settle(ViewState& state, const Snapshot& snapshot) {
    on_model_changed(state, snapshot);
    if (const ModelInfo* const second = &snapshot.model_of(1); std::exchange(state.second_model, second) != second)
        state.on_second_model_changed();
    meet_comparison(state, snapshot);
    // The range of the larger model; a CardScope clamps the choice to the smaller.
    const TransformerConfig &a = snapshot.model_of(0).config, &b = snapshot.model_of(1).config;
    const int layers = std::max(a.n_layers, b.n_layers), heads = std::max(a.n_heads, b.n_heads);
    state.cross_attention = state.cross_attention && snapshot.model->translates();
    state.layer = std::clamp(state.layer, 0, layers - 1);
    state.head = std::clamp(state.head, 0, heads - 1);
    state.other_head = {std::clamp(state.other_head.layer, 0, layers - 1),
                        std::clamp(state.other_head.head, 0, heads - 1)};
    for (std::size_t slot = 0; slot < 2; ++slot) {
        const WatchedSentence& sentence = snapshot.sentences[slot];
        const int count = static_cast<int>(sentence.tokens.size());
        if (state.token[slot] < 0 || state.token[slot] >= std::max(1, count))
            state.token[slot] = first_token(snapshot.model_of(static_cast<int>(slot)), sentence);
    }
    link_tokens(state, snapshot);
    const bool broken = std::ranges::any_of(state.trail, [&](const TracedCell& c) { return !fits(c, snapshot); });
    if (broken) state.follow_strongest = true;
    const bool following = state.follow_strongest || state.trail.empty();
    const CardScope scope(state, snapshot, following ? state.slot : state.trail.back().slot);
    if (following)
        follow(state, snapshot);
    else
        remember(state, snapshot);
}

HeadChoice head_of(const ViewState& state, int slot) {
    const bool other = state.comparing.what == Comparing::What::heads && slot != state.card;
    return other ? state.other_head : HeadChoice{state.layer, state.head};
}

void choose_layer(ViewState& state, const Snapshot& snapshot, int layer) {
    state.layer = std::clamp(layer, 0, snapshot.model_of(state.card).config.n_layers - 1);
    state.follow_strongest = true;
}

void choose_head(ViewState& state, const Snapshot& snapshot, int layer, int head) {
    choose_layer(state, snapshot, layer);
    state.head = std::clamp(head, 0, snapshot.model_of(state.card).config.n_heads - 1);
}

void choose_strongest_head(ViewState& state, const Snapshot& snapshot) {
    float best = -1.0f;
    ViewState tried = state;
    state.layer = state.head = tried.layer = tried.head = 0;
    if (patterns_to_make(tried, snapshot)) return;
    for (tried.layer = 0; tried.layer < snapshot.model->config.n_layers; ++tried.layer)
        for (tried.head = 0; tried.head < snapshot.model->config.n_heads; ++tried.head) {
            float weight = 1.0f;
            for (int slot = 0; slot < 2; ++slot) {
                const int token = tried.token[slot];
                const WatchedSentence& sentence = snapshot.sentences[slot];
                const TransformerConfig& config = snapshot.model_of(slot).config;
                if (tried.layer >= config.n_layers || tried.head >= config.n_heads) continue;
                const int strongest = strongest_key(tried, snapshot, slot, token);
                if (strongest < 0) continue;
                const bool told = token == sentence.first_token && sentence.looks_at >= 0;
                const int key = told ? sentence.looks_at : strongest;
                const Trace& trace = *sentence.trace;
                const Shape shape = trace.shape(hooked_node(tried, trace, "attn.hook_pattern"));
                if (key >= shape.back() || (key == token && !told)) weight = 0.0f;
                if (key >= shape.back()) continue;
                weight *= trace.at(pattern_cell(tried, trace, token, key));
            }
            if (weight <= best) continue;
            best = weight;
            state.layer = tried.layer, state.head = tried.head;
        }
}

void choose_token(ViewState& state, const Snapshot& snapshot, int slot, int token) {
    const int count = static_cast<int>(snapshot.sentences[slot].tokens.size());
    state.slot = slot;
    state.token[slot] = std::clamp(token, 0, std::max(0, count - 1));
    state.follow_strongest = true;
    link_tokens(state, snapshot);
}

void explain(ViewState& state, const TracedCell& cell) {
    state.trail = {cell};
    state.follow_strongest = false;
    state.narrow_panel = Panel::number;  // a narrow window turns to the explanation
}

void explain_operand(ViewState& state, const Cell& cell) {
    if (state.trail.empty()) return;
    state.trail.push_back({state.trail.back().slot, cell});
    state.follow_strongest = false;
}

bool explain_back(ViewState& state) {
    if (state.trail.size() < 2) return false;
    state.trail.pop_back();
    return true;
}

std::string hook(const ViewState& state, const std::string& name) {
    const bool cross = state.cross_attention && name.starts_with("attn.");
    return block_hook(state.layer, cross ? "cross_" + name : name);
}

int hooked_node(const ViewState& state, const Trace& trace, const std::string& name) {
    return trace.graph().find(hook(state, name)).value_or(-1);
}

bool has_attention(const ViewState& state, const Trace& trace) {
    return hooked_node(state, trace, "attn.hook_pattern") >= 0;
}

int strongest_key(const ViewState& state, const Snapshot& snapshot, int slot, int token) {
    const auto& trace = snapshot.sentences[slot].trace;
    if (!trace || token < 0 || token >= trace->positions() || !has_attention(state, *trace)) return -1;
    const int node = hooked_node(state, *trace, "attn.hook_pattern");
    const Shape shape = trace->shape(node);  // [head, query, key]
    const SliceView head = trace->part(node, {state.head, 1});
    const auto row = head.cells(offset_of(shape, {state.head, token, 0}), shape.back());
    return static_cast<int>(std::ranges::max_element(row) - row.begin());
}

Cell pattern_cell(const ViewState& state, const Trace& trace, int query, int key) {
    const int node = trace.graph().at(hook(state, "attn.hook_pattern"));
    return {node, offset_of(trace.shape(node), {state.head, query, key})};
}

int telling_sentence(const ViewState& state, const Snapshot& snapshot) {
    const float of_first = read_of_another(state, snapshot, 0);
    return of_first >= 0 && read_of_another(state, snapshot, 1) > of_first ? 1 : 0;
}

}  // namespace glassformer::app
