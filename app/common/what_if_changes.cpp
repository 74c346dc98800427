#include "app/common/what_if_changes.h"

#include <algorithm>
#include <utility>
#include <variant>

#include "app/language/sentences.h"
#include "app/language/tr.h"
#include "core/graph/hook_names.h"

namespace glassformer::app {

namespace {

/// All changes except those that `gone` accepts.
template <class Gone>
std::vector<WhatIf> without(const Frame& frame, const Gone& gone) {
    std::vector<WhatIf> changes = what_if_changes(frame);
    std::erase_if(changes, gone);
    return changes;
}

bool same_row(const what_if::AttentionRow& a, const what_if::AttentionRow& b) {
    return a.slot == b.slot && a.block == b.block && a.head == b.head && a.query == b.query && a.to == b.to;
}

/// True if both patch the same part of a head at the same place, whatever they put there.
bool same_place(const WhatIf& a, const WhatIf& b) {
    const auto *one = std::get_if<what_if::HeadPatch>(&a), *other = std::get_if<what_if::HeadPatch>(&b);
    return one && other && one->slot == other->slot && one->block == other->block && one->head == other->head &&
           one->part == other->part && one->position == other->position && one->to == other->to;
}

bool scales(const WhatIf& change, const std::string& norm) {
    const auto* scaled = std::get_if<what_if::NormScaled>(&change);
    return scaled && scaled->norm == norm;
}

}  // namespace

void make_changes(const Frame& frame, std::vector<WhatIf> changes) {
    frame.state.own<WhatIfAsked>().changes = changes;
    frame.send(command::SetWhatIf{std::move(changes)});
}

const std::vector<WhatIf>& what_if_changes(const Frame& frame) {
    return frame.state.own<WhatIfAsked>().changes ? *frame.state.own<WhatIfAsked>().changes : frame.snapshot.what_if;
}

bool is_changed(const Frame& frame, const WhatIf& change) {
    return std::ranges::find(what_if_changes(frame), change) != what_if_changes(frame).end();
}

void toggle_change(const Frame& frame, const WhatIf& change) {
    std::vector<WhatIf> changes = what_if_changes(frame);
    if (std::erase(changes, change) == 0) {
        std::erase_if(changes, [&](const WhatIf& other) { return same_place(other, change); });
        changes.push_back(change);
    }
    make_changes(frame, std::move(changes));
}

void toggle_if_possible(const Frame& frame, const WhatIf& change) {
    if (why_not(frame, change).empty()) toggle_change(frame, change);
}

void paint_row(const Frame& frame, what_if::AttentionRow row) {
    row.slot = frame.snapshot.text_slot(row.slot);  // card B may show sentence A
    std::vector<WhatIf> changes = without(frame, [&](const WhatIf& change) {
        const auto* other = std::get_if<what_if::AttentionRow>(&change);
        return other && same_row(*other, row);
    });
    changes.emplace_back(std::move(row));
    make_changes(frame, std::move(changes));
}

void scale_norm(const Frame& frame, const what_if::NormScaled& norm) {
    std::vector<WhatIf> changes = without(frame, [&](const WhatIf& change) { return scales(change, norm.norm); });
    if (norm != what_if::NormScaled{norm.norm}) changes.emplace_back(norm);
    make_changes(frame, std::move(changes));
}

what_if::NormScaled norm_scale(const Frame& frame, const std::string& norm) {
    for (const WhatIf& change : what_if_changes(frame))
        if (scales(change, norm)) return std::get<what_if::NormScaled>(change);
    return {norm};
}

bool can_patch(const Frame& frame) {
    const TransformerConfig& config = frame.snapshot.model->config;
    return config.output == OutputKind::words && !config.recurrent() && frame.trace(0) && frame.trace(1) &&
           frame.snapshot.comparing.of_sentences();
}

what_if::HeadPatch head_patch(int slot, HeadChoice head, AttentionTo to, HeadPart part, int position,
                              PatchSource source, PatchAlignment alignment) {
    what_if::HeadPatch patch{slot, head.layer, head.head, part, position, source, {}, to, {}};
    if (source != PatchSource::other) return patch;
    const bool pattern = part == HeadPart::pattern, of_source = is_of_source(part, to);
    if (!of_source) patch.partners = std::move(alignment.words);
    if (of_source || (pattern && to == AttentionTo::source)) patch.source_partners = std::move(alignment.source);
    // A patch at one word needs no other word's partner, so that it stays the same patch when other words are chosen.
    // The keys of a pattern do need them.
    PatchPartners& own = of_source ? patch.source_partners : patch.partners;
    if (position >= 0 && (!pattern || to == AttentionTo::source))
        for (int at = 0; at < int_size(own); ++at)
            if (at != position) own[at] = -1;
    return patch;
}

std::string change_text(const Frame& frame, const WhatIf& change) {
    const auto* patch = std::get_if<what_if::HeadPatch>(&change);
    // Card B may show sentence A, whose words are others.
    if (!patch || patch->position < 0 || frame.snapshot.text_slot(patch->slot) != patch->slot)
        return tr_sentence(describe(change));
    const bool source = is_of_source(patch->part, patch->to);
    const WatchedSentence& sentence = frame.sentence(patch->slot);
    if (patch->position >= int_size(source ? sentence.source : sentence.tokens)) return tr_sentence(describe(change));
    return tr_sentence(describe(
        change, source ? frame.source_word(patch->slot, patch->position) : frame.word(patch->slot, patch->position)));
}

void restore_model(const Frame& frame) {
    if (!what_if_changes(frame).empty()) make_changes(frame, {});
}

HeadMode head_mode(const Frame& frame, int block, int head, AttentionTo to) {
    if (is_changed(frame, what_if::UniformAttention{block, head, to})) return HeadMode::uniform;
    return is_changed(frame, what_if::HardAttention{block, head, to}) ? HeadMode::hard : HeadMode::learned;
}

void set_head_mode(const Frame& frame, int block, int head, AttentionTo to, HeadMode mode) {
    const WhatIf uniform = what_if::UniformAttention{block, head, to}, hard = what_if::HardAttention{block, head, to};
    std::vector<WhatIf> changes =
        without(frame, [&](const WhatIf& change) { return change == uniform || change == hard; });
    if (mode != HeadMode::learned) changes.push_back(mode == HeadMode::uniform ? uniform : hard);
    make_changes(frame, std::move(changes));
}

bool is_removed(const Frame& frame, int slot, bool encoder, int block, int head, AttentionTo to) {
    const std::vector<RemovedHead>& removed = frame.sentence(slot).removed_heads;
    if (removed.empty()) return false;  // nearly always
    const std::string layer = block_hook(block, to == AttentionTo::source ? "cross_attn" : "attn", encoder);
    return std::ranges::find(removed, RemovedHead{layer, head}) != removed.end();
}

AttentionTo chosen_attention(const ViewState& state) {
    return state.cross_attention ? AttentionTo::source : AttentionTo::itself;
}

void toggle_chosen_head(const Frame& frame) {
    toggle_if_possible(frame, what_if::HeadOff{frame.state.layer, frame.state.head, chosen_attention(frame.state)});
}

bool is_altered(const Frame& frame, int slot) { return slot == 0 || frame.same_model(); }

bool shows_head_off(const Frame& frame, int slot, int block, int head, AttentionTo to) {
    if (is_removed(frame, slot, false, block, head, to)) return true;
    return is_altered(frame, slot) && (is_changed(frame, what_if::HeadOff{block, head, to}) ||
                                       is_changed(frame, what_if::AttentionOff{block, to}));
}

bool shows_mlp_off(const Frame& frame, int slot, int block) {
    return is_altered(frame, slot) && is_changed(frame, what_if::MlpOff{block});
}

std::string_view weights_title(const Frame& frame, int slot, int block, int head, int query, AttentionTo to) {
    if (is_altered(frame, slot)) {
        // Unless two sentences are compared, both cards read A.
        const int sentence = frame.snapshot.comparing.of_sentences() ? slot : 0;
        const what_if::AttentionRow here{sentence, block, head, query, {}, to};
        for (const WhatIf& change : frame.snapshot.what_if)
            if (const auto* row = std::get_if<what_if::AttentionRow>(&change); row && same_row(*row, here))
                return tr("painted");
        if (head_mode(frame, block, head, to) == HeadMode::uniform) return tr("uniform");
        if (head_mode(frame, block, head, to) == HeadMode::hard) return tr("hardmax");
    }
    return frame.model(slot).config.attention.hard ? tr("hardmax") : tr("softmax");
}

std::string why_not(const Frame& frame, const WhatIf& change) {
    if (const auto* off = std::get_if<what_if::HeadOff>(&change);
        off && is_removed(frame, 0, false, off->block, off->head, off->to))
        return tr("This head writes nothing: its rows of W_O are 0, as in a branch that removed it.");
    return tr_full_sentence(refusal(change, frame.snapshot.model->config));
}

void draw_crossed_out(const Ui& ui, const Box& box) {
    ui.list()->AddRectFilled(box.min, box.max, with_alpha(ui.theme->card, 0.72f));
    const float width = std::max(1.0f, ui.px(1.5f)), in = ui.px(1);
    ui.list()->AddLine({box.min.x + in, box.min.y + in}, {box.max.x - in, box.max.y - in}, ui.theme->text_muted, width);
    ui.list()->AddLine({box.min.x + in, box.max.y - in}, {box.max.x - in, box.min.y + in}, ui.theme->text_muted, width);
}

void carry_trail(ViewState& state, const Snapshot& before, const Snapshot& now) {
    if (before.what_if == now.what_if) return;
    for (TracedCell& cell : state.trail) {
        const std::size_t slot = cell.slot;
        const auto& old_trace = before.sentences[slot].trace;
        const auto& new_trace = now.sentences[slot].trace;
        const bool known = old_trace && new_trace && cell.cell.node >= 0 &&
                           cell.cell.node < static_cast<int>(old_trace->graph().nodes().size());
        std::optional<int> node;
        if (known) node = new_trace->graph().find(old_trace->graph()[cell.cell.node].name);
        if (!node) {
            state.follow_strongest = true;
            state.trail.clear();
            return;
        }
        cell.cell.node = *node;
    }
    state.hovered = state.hovering = state.linked = {};
}

}  // namespace glassformer::app
