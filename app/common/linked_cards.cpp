#include "app/common/linked_cards.h"

#include <algorithm>
#include <tuple>
#include <utility>

#include "app/common/word_alignment.h"
#include "app/ui/memo.h"
#include "core/graph/hook_names.h"

namespace glassformer::app {

namespace {

const std::vector<WordTokenizer::Token>& words_of(const Frame& frame, int slot, bool source) {
    return source ? frame.sentence(slot).source : frame.sentence(slot).tokens;
}

/// Computed once per pair of sentences.
const std::vector<AlignedWord>& alignment(const Frame& frame, bool source) {
    static thread_local Memo<std::tuple<bool, SharedKey<Trace>, SharedKey<Trace>>, std::vector<AlignedWord>, 2> known;
    return known({source, frame.sentence(0).trace, frame.sentence(1).trace}, [&] {
        return align_words(names_to_align(frame, 0, source), names_to_align(frame, 1, source),
                           source ? AlignedWord{} : same_homonym(frame));
    });
}

/// Which axes of a node index words, and which the head; −1: none.
struct Axes {
    int word = -1, key = -1, head = -1;
    bool source = false, source_key = false;
};

Axes axes_of(const Trace& trace, int node) {
    const NodeInfo& info = trace.graph()[node];
    const Shape shape = trace.shape(node);
    const NodePlace place = node_place(info.name);
    if (info.kind == NodeInfo::Kind::parameter) return {};
    const bool source = place.of_source();
    if (place.of_pairs() && shape.rank() == 3) return {1, 2, 0, source, place.keys_of_source()};
    const int words = source ? trace.model().source_positions : trace.model().positions;
    if (shape.rank() < 1 || shape[0] != words) return {};
    return {0, -1, shape.rank() == 3 && place.attention() && place.quantity.starts_with("hook_") ? 1 : -1, source,
            false};
}

/// Renames a node of one card's block to the other card's: "blocks.0.attn.hook_q" → "blocks.1.attn.hook_q".
std::string in_block_of(const Frame& frame, int slot, const std::string& name) {
    const NodePlace place = node_place(name);
    if (place.encoder || place.block != head_of(frame.state, slot).layer) return name;
    return block_hook(head_of(frame.state, 1 - slot).layer, place.within);
}

}  // namespace

int counterpart(const Frame& frame, int slot, int position, bool source) {
    const int others = static_cast<int>(words_of(frame, 1 - slot, source).size());
    if (!frame.snapshot.comparing.of_sentences() && frame.same_model()) return position < others ? position : -1;
    const auto from = slot == 0 ? &AlignedWord::a : &AlignedWord::b, to = slot == 0 ? &AlignedWord::b : &AlignedWord::a;
    const std::vector<AlignedWord>& words = alignment(frame, source);
    const auto found = std::ranges::find(words, position, from);
    return found == words.end() ? -1 : (*found).*to;
}

TracedCell counterpart(const Frame& frame, const TracedCell& at) {
    const int slot = at.slot, other = 1 - slot;
    const Trace *here = frame.trace(slot), *there = frame.trace(other);
    if (!here || !there || at.cell.node < 0) return {};
    const std::optional<int> node = there->graph().find(in_block_of(frame, slot, here->graph()[at.cell.node].name));
    if (!node) return {};
    const Shape from = here->shape(at.cell.node), to = there->shape(*node);
    if (from.rank() != to.rank()) return {};
    const Axes axes = axes_of(*here, at.cell.node);
    std::int64_t rest = at.cell.offset, offset = 0, stride = 1;
    for (int axis = from.rank() - 1; axis >= 0; --axis) {
        std::int64_t index = rest % from[axis];
        rest /= from[axis];
        if (axis == axes.word) index = counterpart(frame, slot, static_cast<int>(index), axes.source);
        if (axis == axes.key) index = counterpart(frame, slot, static_cast<int>(index), axes.source_key);
        if (axis == axes.head && index == head_of(frame.state, slot).head) index = head_of(frame.state, other).head;
        if (index < 0 || index >= to[axis]) return {};
        offset += index * stride;
        stride *= to[axis];
    }
    return {other, {*node, offset}};
}

void link_cards(const Frame& frame) {
    ViewState& state = frame.state;
    state.hovered = std::exchange(state.hovering, {});
    state.hovered_word = std::exchange(state.hovering_word, {});
    state.linked = {}, state.linked_word = {};
    if (!state.compare) return;
    state.linked = counterpart(frame, state.hovered);
    const WordPlace& word = state.hovered_word;
    if (word.position >= 0) state.linked_word = {1 - word.slot, counterpart(frame, word.slot, word.position)};
}

void point_at_word(const Frame& frame, int slot, int position) { frame.state.hovering_word = {slot, position}; }

bool word_is_lit(const ViewState& state, int slot, int position) {
    const WordPlace here{slot, position};
    return state.hovered_word == here || state.linked_word == here;
}

Cell cell_of_head(const Trace& trace, int layer, int head, bool cross) {
    const std::optional<int> node = trace.graph().find(block_hook(layer, cross ? "cross_attn.W_O" : "attn.W_O"));
    if (!node) return {-1, 0};
    const Shape shape = trace.shape(*node);
    return {*node, head * (shape[0] / trace.model().config.n_heads) * shape.back()};
}

const Cell& lit_cell(const ViewState& state, int slot) {
    static constexpr Cell nothing{-1, 0};
    for (const TracedCell* at : {&state.hovered, &state.linked})
        if (at->slot == slot && at->cell.node >= 0) return at->cell;
    return nothing;
}

}  // namespace glassformer::app
