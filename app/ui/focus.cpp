#include "app/ui/focus.h"

#include <algorithm>

namespace glassformer::app {

void Focus::begin_frame() {
    std::swap(order_, previous_order_);
    order_.clear();
    activate_ = activate_next_;
    activate_next_ = false;
    // A focused control that is no longer drawn gives the focus up.
    if (current_ && std::find(previous_order_.begin(), previous_order_.end(), current_) == previous_order_.end()) {
        current_ = 0;
    }
    if (typed_.id && std::find(previous_order_.begin(), previous_order_.end(), typed_.id) == previous_order_.end())
        typed_ = {};
}

bool Focus::offer(ImGuiID id) {
    order_.push_back(id);
    return id == current_;
}

void Focus::move(int step) {
    const std::vector<ImGuiID>& order = order_.empty() ? previous_order_ : order_;
    if (order.empty()) return;
    const int count = static_cast<int>(order.size());
    const auto found = std::find(order.begin(), order.end(), current_);
    const int at = found == order.end() ? (step > 0 ? -1 : count) : static_cast<int>(found - order.begin());
    current_ = order[static_cast<size_t>(((at + step) % count + count) % count)];
}

}  // namespace glassformer::app
