#include "app/phones/visitors.h"

#include <algorithm>

#include "core/platform/network.h"

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

bool Visitors::room_for_address(Clock::time_point now) {
    if (addresses_.size() < most_addresses) return true;
    std::erase_if(addresses_,
                  [&](const auto& entry) { return entry.second.here == 0 && entry.second.allowance.is_full(now); });
    return addresses_.size() < most_addresses;
}

bool Visitors::admits(const std::string& address, Clock::time_point now) {
    all_.take(now);
    if (!addresses_.contains(address) && !room_for_address(now)) return false;
    Address& here = addresses_.try_emplace(address, Address{Allowance(limits_.a_second_of_one_address)}).first->second;
    return here.here < limits_.of_one_address && here.allowance.take(now);
}

void Visitors::enter(int socket, const std::string& address, Clock::time_point now) {
    const auto known = addresses_.find(address);
    if (known == addresses_.end()) return;
    ++known->second.here;
    here_.insert_or_assign(socket, Visitor{address, now + limits_.time});
}

void Visitors::leave(int socket) {
    const auto visitor = here_.find(socket);
    if (visitor == here_.end()) return;
    --addresses_.at(visitor->second.address).here;
    here_.erase(visitor);
}

void Visitors::end_late_ones(Clock::time_point now) const {
    for (const auto& [socket, visitor] : here_)
        if (visitor.until <= now) platform::shut_down_connection(socket);
}

}  // namespace glassformer::app
