#pragma once

#include <chrono>
#include <condition_variable>
#include <cstddef>
#include <map>
#include <mutex>
#include <set>
#include <string>

#include "app/phones/phone_page.h"
#include "core/platform/network.h"

namespace glassformer::app {

/// So many things a second, a second's worth at once.
class Allowance {
public:
    using Clock = std::chrono::steady_clock;

    explicit Allowance(double a_second) : a_second_(a_second), left_(a_second) {}
    bool take(Clock::time_point now);
    /// Nothing was taken for so long that forgetting it changes nothing.
    bool is_full(Clock::time_point now) const { return after(now) >= a_second_; }

private:
    double after(Clock::time_point now) const;

    double a_second_, left_;
    Clock::time_point at_ = Clock::now();
};

/// Who is connected, and who may be.
class Visitors {
public:
    explicit Visitors(const PhoneLimits& limits) : limits_(limits), all_(limits.a_second) {}

    /// Waits until one more connection may be taken; false once the page has ended.
    bool wait_for_turn();
    /// False where this address has too many connections, or had them in this second.
    bool enter(const platform::StrangersConnection& visitor);
    void leave(const platform::StrangersConnection& visitor);
    /// Ends all connections; there are no others from now on.
    void end();

private:
    struct Address {
        Allowance allowance;
        std::size_t here = 0;
    };
    /// Room for one more address, by forgetting those that rest.
    bool room_for_address(Allowance::Clock::time_point now);

    static constexpr std::size_t most_addresses = 4096;
    const PhoneLimits limits_;
    std::mutex lock_;
    std::condition_variable ended_;
    bool over_ = false;
    Allowance all_;
    std::map<std::string, Address> addresses_;
    std::set<const platform::StrangersConnection*> here_;
};

}  // namespace glassformer::app
