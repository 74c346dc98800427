#include "app/phones/visitors.h"

#include <algorithm>

namespace glassformer::app {

double Allowance::after(Clock::time_point now) const {
    const double seconds = std::chrono::duration<double>(now - at_).count();
    return std::min(a_second_, left_ + seconds * a_second_);
}

bool Allowance::take(Clock::time_point now) {
    left_ = after(now);
    at_ = now;
    if (left_ < 1) return false;
    left_ -= 1;
    return true;
}

bool Visitors::wait_for_turn() {
    std::unique_lock held(lock_);
    constexpr std::chrono::milliseconds a_moment{2};
    while (!over_ && !all_.take(Allowance::Clock::now())) ended_.wait_for(held, a_moment);
    return !over_;
}

bool Visitors::room_for_address(Allowance::Clock::time_point now) {
    if (addresses_.size() < most_addresses) return true;
    std::erase_if(addresses_,
                  [&](const auto& entry) { return entry.second.here == 0 && entry.second.allowance.is_full(now); });
    return addresses_.size() < most_addresses;
}

bool Visitors::enter(const platform::StrangersConnection& visitor) {
    const std::lock_guard held(lock_);
    const Allowance::Clock::time_point now = Allowance::Clock::now();
    if (over_ || (!addresses_.contains(visitor.from()) && !room_for_address(now))) return false;
    Address& address =
        addresses_.try_emplace(visitor.from(), Address{Allowance(limits_.a_second_of_one_address)}).first->second;
    if (address.here >= limits_.of_one_address || !address.allowance.take(now)) return false;
    ++address.here;
    here_.insert(&visitor);
    return true;
}

void Visitors::leave(const platform::StrangersConnection& visitor) {
    const std::lock_guard held(lock_);
    if (here_.erase(&visitor) > 0) --addresses_.at(visitor.from()).here;
}

void Visitors::end() {
    const std::lock_guard held(lock_);
    over_ = true;
    for (const platform::StrangersConnection* visitor : here_) visitor->end();
    ended_.notify_all();
}

}  // namespace glassformer::app
