#include "app/lessons/view_moment.h"

#include "app/common/sentence_edit.h"

namespace glassformer::app {

ViewMoment moment_of(const ViewState& state, const Snapshot& snapshot) {
    ViewMoment m;
    for (std::size_t slot = 0; slot < 2; ++slot) m.text[slot] = snapshot.text_of(static_cast<int>(slot));
    m.step = snapshot.live ? -1 : snapshot.step;
    m.what_if = snapshot.what_if;
    m.layer = state.layer, m.head = state.head, m.view = state.view, m.slot = state.slot;
    m.comparing = snapshot.comparing;
    if (m.comparing.what == Comparing::What::heads) m.other_head = state.other_head;
    m.token = state.token;
    m.compare = state.compare, m.second_layer_norm = state.second_layer_norm;
    m.follow_strongest = state.follow_strongest;
    if (!state.follow_strongest) m.trail = state.trail;
    return m;
}

void restore(ViewState& state, const ViewMoment& m, const Snapshot& snapshot) {
    state.layer = m.layer, state.head = m.head, state.view = m.view, state.slot = m.slot;
    state.comparing = m.comparing, state.other_head = m.other_head;
    state.token = m.token;
    state.compare = m.compare, state.second_layer_norm = m.second_layer_norm;
    state.follow_strongest = m.follow_strongest;
    if (!m.follow_strongest) state.trail = m.trail;
    for (std::size_t slot = 0; slot < 2; ++slot) {
        // The text field must not take the sentence for a new one and select its word again.
        SentenceEdit& edit = state.own<SentenceEdits>().of[slot];
        edit.open = false;
        edit.sent.reset();
        if (snapshot.sentences[slot].trace) edit.last_good = m.text[slot];
    }
}

std::vector<Command> commands_to(const ViewMoment& m, const Snapshot& snapshot) {
    std::vector<Command> commands;
    const bool changed = m.what_if != snapshot.what_if;
    // A painted row fits only one sentence: remove all changes before the sentences change.
    if (changed && !snapshot.what_if.empty()) commands.push_back(command::SetWhatIf{});
    for (int slot = 0; slot < 2; ++slot) {
        const std::string& text = m.text[slot];
        if (snapshot.asked_of(slot) != text) commands.push_back(command::Watch{slot, text});
    }
    if (!(snapshot.comparing == m.comparing)) commands.push_back(command::CompareWith{m.comparing});
    if (m.step < 0 && !snapshot.live) commands.push_back(command::FollowLive{});
    if (m.step >= 0 && (snapshot.live || snapshot.step != m.step)) commands.push_back(command::LookAt{m.step});
    if (changed && !m.what_if.empty()) commands.push_back(command::SetWhatIf{m.what_if});
    return commands;
}

}  // namespace glassformer::app
