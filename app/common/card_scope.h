#pragma once

#include "app/common/frame.h"

namespace glassformer::app {

/// While it lives, the block and the head that are chosen are those of one card: ViewState::layer and head become its
/// own where two heads are compared, and are brought into range where its model is smaller than the other card's. What
/// is chosen meanwhile is chosen for this card. An inner scope takes the place of the outer one while it lives.
class CardScope {
public:
    CardScope(ViewState& state, const Snapshot& snapshot, int slot);
    CardScope(const Frame& frame, int slot) : CardScope(frame.state, frame.snapshot, slot) {}
    ~CardScope();
    CardScope(const CardScope&) = delete;
    CardScope& operator=(const CardScope&) = delete;

private:
    void enter();
    void leave();

    ViewState& state_;
    const Snapshot& snapshot_;
    int slot_;
    CardScope* outer_;
    HeadChoice meant_, shown_;  // differ where this card's model lacks what is meant
    bool cross_meant_ = false, cross_shown_ = false;
};

}  // namespace glassformer::app
