#pragma once

#include "app/common/frame.h"

namespace glassformer::app {

/// While it lives, the chosen block and head are those of one card. If two heads are compared, ViewState::layer and
/// head become that card's own; if its model is smaller than the other card's, they are clamped to its range. Anything
/// chosen meanwhile is chosen for this card. An inner scope replaces the outer one while it lives.
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
    HeadChoice meant_, shown_;  // these differ if this card's model lacks the chosen one
    bool cross_meant_ = false, cross_shown_ = false;
};

}  // namespace glassformer::app
