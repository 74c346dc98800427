#include "app/desktop/history.h"

#include <utility>

namespace glassformer::app {

void History::record(const ViewMoment& moment, double now) {
    if (!present_) present_ = moment;
    if (*present_ == moment) return;
    const bool same_change = now - changed_ < merge_seconds && !past_.empty();
    changed_ = now;
    future_.clear();
    if (!same_change) past_.push_back(std::move(*present_));
    present_ = moment;
    // There and back again within one change is no change.
    if (same_change && past_.back() == moment) {
        past_.pop_back();
        changed_ = never;
    }
    if (past_.size() > most) past_.pop_front();
}

std::optional<ViewMoment> History::undo() {
    if (past_.empty()) return std::nullopt;
    future_.push_back(std::move(*present_));
    present_ = std::move(past_.back());
    past_.pop_back();
    changed_ = never;
    return present_;
}

std::optional<ViewMoment> History::redo() {
    if (future_.empty()) return std::nullopt;
    past_.push_back(std::move(*present_));
    present_ = std::move(future_.back());
    future_.pop_back();
    changed_ = never;
    return present_;
}

void History::clear() { *this = History{}; }

}  // namespace glassformer::app
