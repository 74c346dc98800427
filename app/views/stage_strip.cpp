#include <algorithm>
#include <array>
#include <cmath>

#include "app/views/views.h"

namespace glassformer::app {

namespace {

/// How a stage's cell is found from the chosen token (and the key that it looks at most).
enum class Find { token_vector, token_head, key_head, pair };

struct Stage {
    std::string_view label;  // on the pill; the item is "stage <label>"
    const char* node;        // in the block
    Find find;
    std::string_view tooltip;
};

constexpr std::array<Stage, 12> stages = {{
    {"x", "hook_resid_pre", Find::token_vector, "x\nThe word's vector as it comes into the block."},
    {"LN", "ln1.hook_out", Find::token_vector,
     "LayerNorm\nEach word's vector is shifted and scaled to mean 0 and spread 1, then stretched by learned weights."},
    {"Q", "attn.hook_q", Find::token_head, "query\nWhat the word is looking for: its vector times W_Q."},
    {"K", "attn.hook_k", Find::key_head, "key\nWhat each word offers to be found by: its vector times W_K."},
    {"V", "attn.hook_v", Find::key_head,
     "value\nWhat each word hands over when it is looked at: its vector times W_V."},
    {"q·k", "attn.hook_attn_scores_raw", Find::pair, "q·k\nHow well query and key match: their products, added up."},
    {"÷√d", "attn.hook_attn_scores_scaled", Find::pair,
     "÷ √d\nDivided by the root of their length, so that long vectors do not shout."},
    {"mask", "attn.hook_attn_scores", Find::pair,
     "mask\nScores of hidden words become −∞, so that nobody looks there."},
    {"softmax", "attn.hook_pattern", Find::pair,
     "softmax\nScores become shares of attention: all positive, adding up to 1."},
    {"Σ a·v", "attn.hook_z", Find::token_head, "Σ a·v\nThe values of all words, mixed by their shares of attention."},
    {"W_O", "attn.hook_result", Find::token_head,
     "W_O\nThe mix is turned back into a vector of the residual stream: what this head writes."},
    {"+ x", "hook_resid_mid", Find::token_vector, "+ x\nWhat the heads write is added to the word's vector."},
}};

/// Of `count` cells from `first`, the one furthest from 0.
Cell largest(const Trace& trace, int node, std::int64_t first, std::int64_t count) {
    const auto values = trace.values(node).subspan(static_cast<std::size_t>(first), static_cast<std::size_t>(count));
    const auto found = std::ranges::max_element(values, {}, [](float v) { return std::abs(v); });
    return {node, first + (found - values.begin())};
}

/// Whether this model has the stage (one without attention has few of them, one without biases or norms has not all).
bool has_stage(const Frame& frame, const Trace& trace, const Stage& stage) {
    return hooked_node(frame.state, trace, stage.node) >= 0 &&
           (stage.find == Find::token_vector || has_attention(frame.state, trace));
}

/// Only where the model has the stage.
Cell stage_cell(const Frame& frame, const Trace& trace, const Stage& stage) {
    const ViewState& s = frame.state;
    const int token = s.token[static_cast<std::size_t>(s.slot)], node = trace.graph().at(hook(s, stage.node));
    const int key = strongest_key(s, frame.snapshot, s.slot, token);
    const Shape shape = trace.shape(node);
    if (stage.find == Find::pair) return {node, offset_of(shape, {s.head, token, key})};
    const int position = stage.find == Find::key_head ? key : token;
    const std::int64_t width = shape.back();
    if (stage.find == Find::token_vector) return largest(trace, node, position * width, width);
    return largest(trace, node, offset_of(shape, {position, s.head, 0}), width);
}

/// What stands for a node on the strip: views of one memory, and all heads' sum for one head's part.
bool stands_for(const Frame& frame, const Trace& trace, const Stage& stage, int node) {
    const std::string& name = trace.graph()[node].name;
    if (node == hooked_node(frame.state, trace, stage.node)) return true;
    if (stage.label == "W_O") return name == hook(frame.state, "hook_attn_out");
    return name == hook(frame.state, std::string(stage.node) + "_merged");
}

/// The stage whose number is explained, or −1; `reached` counts the stages that come before it in the graph.
int explained_stage(const Frame& frame, const Trace& trace, int& reached) {
    reached = 0;
    if (frame.state.trail.empty() || frame.state.trail.back().slot != frame.state.slot) return -1;
    const int node = frame.state.trail.back().cell.node;
    int found = -1;
    for (int i = 0; i < static_cast<int>(stages.size()); ++i) {
        const Stage& stage = stages[static_cast<std::size_t>(i)];
        if (const int own = hooked_node(frame.state, trace, stage.node); own >= 0 && own <= node) reached = i + 1;
        if (stands_for(frame, trace, stage, node)) found = i;
    }
    if (found >= 0) reached = found;
    return found;
}

float pill_width(const Ui& ui, const Stage& stage) {
    return std::max(ui.px(44), draw::text_size(ui, stage.label, FontRole::small_bold).x + ui.px(14));
}

struct Rows {
    int count = 1;
    float width = 0;  // of the widest
};

int stages_in_row(const Rows& rows) { return (static_cast<int>(stages.size()) + rows.count - 1) / rows.count; }

/// One row where it fits beside the least headline, else two.
Rows rows_for(const Ui& ui, float room, float gap) {
    for (Rows rows{1, 0};; ++rows.count) {
        rows.width = 0;
        float width = 0;
        for (int i = 0; i < static_cast<int>(stages.size()); ++i) {
            width = i % stages_in_row(rows) == 0 ? 0 : width + gap;
            width += pill_width(ui, stages[static_cast<std::size_t>(i)]);
            rows.width = std::max(rows.width, width);
        }
        if (rows.width <= room || rows.count == 2) return rows;
    }
}

/// What is asked now: how the chosen word looks around, or, deep in an explanation, which number is explained.
std::string question_of(const Frame& frame) {
    const ViewState& s = frame.state;
    const Trace* trace = frame.trace(s.slot);
    int reached = 0;
    if (trace && !s.trail.empty() && explained_stage(frame, *trace, reached) < 0)
        return "explaining " + frame.cell_name(s.trail.back().slot, s.trail.back().cell);
    if (frame.sentence(s.slot).tokens.empty()) return "Pick or type a sentence.";
    return "How does “" + frame.word(s.slot, s.token[static_cast<std::size_t>(s.slot)]) + "” decide where to look?";
}

void draw_headline(const Frame& frame, const Box& box) {
    const Ui& ui = frame.ui;
    const ViewState& s = frame.state;
    const std::string headline = "Block " + std::to_string(s.layer) + " · head " + std::to_string(s.head);
    const std::string question = question_of(frame);
    const float title = ui.line(FontRole::title_bold), small = ui.line(FontRole::small);
    const float y = std::round((box.min.y + box.max.y - title - small - ui.px(1)) / 2);
    draw::text_in(ui, {box.min.x, y}, {box.max.x, y + title}, headline, {FontRole::title_bold});
    const ImVec2 min{box.min.x, y + title + ui.px(1)}, max{box.max.x, y + title + ui.px(1) + small};
    const bool cut = draw::text_in(ui, min, max, question, {FontRole::small, ui.theme->text_muted});
    ui.items->add("stage/headline", {box.min.x, y}, {box.max.x, y + title}, std::nullopt, headline);
    ui.items->add("stage/question", min, max, std::nullopt, question);
    if (cut && draw::hovered(min, max)) draw::tooltip(ui, question);
}

void draw_pills(const Frame& frame, const Trace& trace, const Box& box, const Rows& rows, float gap) {
    const Ui& ui = frame.ui;
    int reached = 0;
    const int chosen = explained_stage(frame, trace, reached), per_row = stages_in_row(rows);
    const float height =
        std::min(ui.px(28), (box.height() - gap * static_cast<float>(rows.count - 1)) / static_cast<float>(rows.count));
    const float spare = std::clamp((box.width() - rows.width) / static_cast<float>(per_row), 0.0f, ui.px(8));
    const float all = height * static_cast<float>(rows.count) + gap * static_cast<float>(rows.count - 1);
    const float slack = box.width() - rows.width - std::floor(spare) * static_cast<float>(per_row);
    const float left = box.min.x + std::max(0.0f, std::floor(slack));  // the last pill ends where the card's text does
    float x = left, y = std::round((box.min.y + box.max.y - all) / 2);
    for (int i = 0; i < static_cast<int>(stages.size()); ++i) {
        if (i > 0 && i % per_row == 0) x = left, y += height + gap;
        const Stage& stage = stages[static_cast<std::size_t>(i)];
        const float width = pill_width(ui, stage) + std::floor(spare);
        const ButtonStyle style{.tone = i < reached ? Tone::attention : Tone::quiet,
                                .selected = i == chosen,
                                .enabled = has_stage(frame, trace, stage),
                                .font = i < reached || i == chosen ? FontRole::small_bold : FontRole::small,
                                .radius = 999,
                                .tooltip = stage.tooltip};
        const std::string_view label =
            ui.items->format("stage %.*s", static_cast<int>(stage.label.size()), stage.label.data());
        if (button(ui, label, {x, y}, {x + width, y + height}, stage.label, style))
            explain(frame.state, {frame.state.slot, stage_cell(frame, trace, stage)});
        x += width + gap;
    }
}

}  // namespace

void step_stage(const Frame& frame, int step) {
    const Trace* trace = frame.trace(frame.state.slot);
    if (!trace) return;
    int reached = 0;
    const int count = static_cast<int>(stages.size()), chosen = explained_stage(frame, *trace, reached);
    // Between two stages (deep in an explanation) a step goes to the next one after, or the last one before.
    const int next = chosen >= 0 ? chosen + step : step > 0 ? reached : reached - 1;
    int at = (next + count) % count;
    for (int tried = 0; tried < count && !has_stage(frame, *trace, stages[static_cast<std::size_t>(at)]); ++tried)
        at = (at + (step > 0 ? 1 : count - 1)) % count;
    const Stage& stage = stages[static_cast<std::size_t>(at)];
    if (!has_stage(frame, *trace, stage)) return;
    explain(frame.state, {frame.state.slot, stage_cell(frame, *trace, stage)});
}

void draw_stage_strip(const Frame& frame, const Box& box) {
    const Ui& ui = frame.ui;
    draw::card(ui, box.min, box.max);
    const float pad = ui.px(16), gap = ui.px(5);
    const Trace* trace = frame.trace(frame.state.slot);
    if (!trace) return draw_headline(frame, {{box.min.x + pad, box.min.y}, {box.max.x - pad, box.max.y}});
    const float inside = box.width() - 2 * pad;
    const float least = draw::text_size(ui, "Block 0 · head 3", FontRole::title_bold).x + ui.px(16);
    const Rows rows = rows_for(ui, inside - least, gap);
    const float wanted = draw::text_size(ui, "How does “longest” decide where to look?", FontRole::small).x + ui.px(16);
    const float headline = std::clamp(inside - rows.width, least, std::max(least, wanted));
    const float left = box.min.x + pad + headline;
    draw_headline(frame, {{box.min.x + pad, box.min.y}, {left - ui.px(10), box.max.y}});
    draw_pills(frame, *trace, {{left, box.min.y + ui.px(5)}, {box.max.x - pad, box.max.y - ui.px(5)}}, rows, gap);
}

}  // namespace glassformer::app
