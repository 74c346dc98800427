#pragma once

#include <deque>
#include <optional>
#include <vector>

#include "app/lessons/view_moment.h"

namespace glassformer::app {

/// The moments that were on screen, for undo and redo. Changes that follow each other within `merge_seconds` (a held
/// arrow key, a drag along the timeline) count as one.
class History {
public:
    static constexpr std::size_t most = 500;
    static constexpr double merge_seconds = 0.4;

    /// What is on screen at `now`, in seconds of a clock that never goes back; nothing happens unless it has changed.
    void record(const ViewMoment& moment, double now);
    /// One change back, or forward again; empty when there is none. The moment returned is the present one from now on.
    std::optional<ViewMoment> undo();
    std::optional<ViewMoment> redo();
    /// The present one could be restored only in part (a step that is no longer kept): this is what came of it.
    void correct(const ViewMoment& moment) { present_ = moment; }
    void clear();

    bool can_undo() const { return !past_.empty(); }
    bool can_redo() const { return !future_.empty(); }

private:
    static constexpr double never = -1e9;

    std::optional<ViewMoment> present_;
    std::deque<ViewMoment> past_;     // the newest at the back
    std::vector<ViewMoment> future_;  // the nearest at the back
    double changed_ = never;
};

}  // namespace glassformer::app
