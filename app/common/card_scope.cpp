#include "app/common/card_scope.h"

#include <algorithm>
#include <utility>

namespace glassformer::app {

namespace {

/// When two heads are compared, they take turns in ViewState::layer and head.
void turn_to(ViewState& state, int slot) {
    if (state.card == slot) return;
    state.card = slot;
    if (state.comparing.what != Comparing::What::heads) return;
    std::swap(state.layer, state.other_head.layer);
    std::swap(state.head, state.other_head.head);
}

}  // namespace

CardScope::CardScope(ViewState& state, const Snapshot& snapshot, int slot)
    : state_(state), snapshot_(snapshot), slot_(slot), outer_(state.scope) {
    if (outer_) outer_->leave();
    state_.scope = this;
    enter();
}

CardScope::~CardScope() {
    leave();
    state_.scope = outer_;
    if (outer_) outer_->enter();
}

void CardScope::enter() {
    turn_to(state_, slot_);
    const ModelInfo& model = snapshot_.model_of(slot_);
    meant_ = {state_.layer, state_.head};
    cross_meant_ = state_.cross_attention;
    state_.layer = std::clamp(state_.layer, 0, model.config.n_layers - 1);
    state_.head = std::clamp(state_.head, 0, model.config.n_heads - 1);
    state_.cross_attention = state_.cross_attention && model.translates();
    shown_ = {state_.layer, state_.head};
    cross_shown_ = state_.cross_attention;
}

void CardScope::leave() {
    if (state_.layer == shown_.layer) state_.layer = meant_.layer;
    if (state_.head == shown_.head) state_.head = meant_.head;
    if (state_.cross_attention == cross_shown_) state_.cross_attention = cross_meant_;
    turn_to(state_, 0);
}

}  // namespace glassformer::app
