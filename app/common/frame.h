#pragma once

#include <functional>
#include <string>

#include "app/common/view_state.h"
#include "app/session/command.h"
#include "app/session/snapshot.h"
#include "app/ui/controls.h"

namespace glassformer::app {

/// What every view receives: one snapshot (all panels show the same step), the choices, and a way to ask the worker. A
/// view draws inside its box and registers what can be pointed at in ui.items. It keeps its state between frames in
/// own<State>().
struct Frame {
    const Ui& ui;
    const Snapshot& snapshot;
    ViewState& state;
    const std::function<void(Command)>& send;

    /// The state that a view or a panel keeps for itself, by type.
    template <class T>
    T& own() const {
        return state.own<T>();
    }

    const WatchedSentence& sentence(int slot) const { return snapshot.sentences[slot]; }
    /// The model that a card shows; B's may be a different one.
    const ModelInfo& model(int slot) const { return snapshot.model_of(slot); }
    /// True if both cards show the same model, at whatever step: their nodes are the same.
    bool same_model() const { return &model(0) == &model(1); }
    /// The model of the card being drawn.
    const ModelInfo& model() const { return model(state.card); }
    /// The trace of a sentence, or null if it could not be read.
    const Trace* trace(int slot) const { return sentence(slot).trace.get(); }
    /// The word at a position, as typed; "▢" for the mask.
    std::string word(int slot, int position) const;
    /// The word at a position of the source sentence.
    std::string source_word(int slot, int position) const;
    /// The word of column `key` of a pattern or of scores.
    std::string key_word_of(int slot, const std::string& node, int key) const;
    /// "A" or "B".
    static const char* letter(int slot) { return slot == 0 ? "A" : "B"; }
    /// The name of a cell, for people: "pattern[bat → foul]", "q[bat, 5]", "W_Q[3, 12]".
    std::string cell_name(int slot, const Cell& cell) const;
};

}  // namespace glassformer::app
