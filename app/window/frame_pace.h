#pragma once

#include <algorithm>

namespace glassformer::app {

/// Paces the frames that a training requests while the user is idle: drawing takes at most a quarter of the time. A
/// graphics card needs less; where the processor draws, the training gets the rest. Times are in seconds.
class FramePace {
public:
    void begin(double now) { began_ = now; }
    void end(double now) { next_ = now + std::min(3.0 * (now - began_), longest); }
    /// The user did something and is waiting for the result.
    void input(double now) { input_ = now; }
    /// How long to wait before the next frame.
    double wait(double now) const { return now - input_ < longest ? 0.0 : std::max(next_ - now, 0.0); }

private:
    static constexpr double longest = 0.5;
    double began_ = 0.0, next_ = 0.0, input_ = -longest;
};

}  // namespace glassformer::app
