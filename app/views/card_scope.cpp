#include "app/views/card_scope.h"

#include <algorithm>
#include <utility>

namespace glassformer::app {

namespace {

/// Two heads that are compared take turns in ViewState::layer and head.
void turn_to(ViewState& state, int slot) {
    if (state.card == slot) return;
    state.card = slot;
    if (state.comparing.what != Comparing::What::heads) return;
    std::swap(state.layer, state.other_head.layer);
    std::swap(state.head, state.other_head.head);
}

}  // namespace

CardScope::CardScope(ViewState& state, const Snapshot& snapshot, int slot) : state_(state), outer_(state.card) {
    turn_to(state, slot);
    const ModelInfo& model = snapshot.model_of(slot);
    meant_ = {state.layer, state.head};
    cross_meant_ = state.cross_attention;
    state.layer = std::clamp(state.layer, 0, model.config.n_layers - 1);
    state.head = std::clamp(state.head, 0, model.config.n_heads - 1);
    state.cross_attention = state.cross_attention && model.translates();
    shown_ = {state.layer, state.head};
    cross_shown_ = state.cross_attention;
}

CardScope::~CardScope() {
    if (state_.layer == shown_.layer) state_.layer = meant_.layer;
    if (state_.head == shown_.head) state_.head = meant_.head;
    if (state_.cross_attention == cross_shown_) state_.cross_attention = cross_meant_;
    turn_to(state_, outer_);
}

}  // namespace glassformer::app
