#pragma once

#include "app/views/frame.h"

namespace glassformer::app {

/// While it lives, the block and the head that are chosen are those of one card: ViewState::layer and head become its
/// own where two heads are compared, and are brought into range where its model is smaller than the other card's. What
/// is chosen meanwhile is chosen for this card. Scopes nest.
class CardScope {
public:
    CardScope(ViewState& state, const Snapshot& snapshot, int slot);
    CardScope(const Frame& frame, int slot) : CardScope(frame.state, frame.snapshot, slot) {}
    ~CardScope();
    CardScope(const CardScope&) = delete;
    CardScope& operator=(const CardScope&) = delete;

private:
    ViewState& state_;
    int outer_;
    HeadChoice meant_, shown_;  // differ where this card's model lacks what is meant
    bool cross_meant_, cross_shown_;
};

}  // namespace glassformer::app
