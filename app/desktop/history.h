#pragma once

#include <deque>
#include <optional>
#include <vector>

#include "app/lessons/view_moment.h"

namespace glassformer::app {

/// What was on screen, for undo and redo. Changes within `merge_seconds` of each other (a held arrow key, a drag along
/// the timeline) count as one.
class History {
public:
    static constexpr std::size_t most = 500;
    static constexpr double merge_seconds = 0.4;

    /// Records what is on screen at `now`, in seconds of a monotonic clock; does nothing if it has not changed.
    void record(const ViewMoment& moment, double now);
    /// One change back, or forward again; empty if there is none. The returned moment is then the present one.
    std::optional<ViewMoment> undo();
    std::optional<ViewMoment> redo();
    /// Replaces the present moment by what could be restored of it (its step may no longer be kept).
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
