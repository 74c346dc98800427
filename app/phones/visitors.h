#pragma once

#include <chrono>
#include <cstddef>
#include <map>
#include <string>

#include "app/phones/phone_page.h"

namespace glassformer::app {

/// A rate limit of so many events per second, with bursts of at most one second's worth.
class Allowance {
public:
    using Clock = std::chrono::steady_clock;

    explicit Allowance(double a_second) : a_second_(a_second), left_(a_second) {}
    bool take(Clock::time_point now);
    bool has_one(Clock::time_point now) const { return after(now) >= 1; }
    /// Returns true if nothing was taken for so long that this object can be forgotten without effect.
    bool is_full(Clock::time_point now) const { return after(now) >= a_second_; }

private:
    double after(Clock::time_point now) const;

    double a_second_, left_;
    Clock::time_point at_ = Clock::now();
};

/// Tracks who is connected, and who may connect. Used only by the page's thread.
class Visitors {
public:
    using Clock = Allowance::Clock;

    explicit Visitors(const PhoneLimits& limits) : limits_(limits), all_(limits.a_second) {}

    /// Returns false if too many connections were accepted in this second: the next one waits in the system's queue.
    bool may_accept(Clock::time_point now) const { return all_.has_one(now); }
    /// Returns false if this address has too many connections, or had them in this second.
    bool admits(const std::string& address, Clock::time_point now);
    void enter(int socket, const std::string& address, Clock::time_point now);
    void leave(int socket);
    /// Ends the connections that have used up their time.
    void end_late_ones(Clock::time_point now) const;

private:
    struct Address {
        Allowance allowance;
        std::size_t here = 0;
    };
    struct Visitor {
        std::string address;
        Clock::time_point until;
    };
    /// Makes room for one more address by forgetting inactive ones.
    bool room_for_address(Clock::time_point now);

    static constexpr std::size_t most_addresses = 4096;
    const PhoneLimits limits_;
    Allowance all_;
    std::map<std::string, Address> addresses_;
    std::map<int, Visitor> here_;  // by socket
};

}  // namespace glassformer::app
