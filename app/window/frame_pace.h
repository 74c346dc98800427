#pragma once

#include <algorithm>

namespace glassformer::app {

/// When the next frame comes that a training asks for, while nobody does anything: drawing takes a quarter of the time
/// at most. A graphics card needs less; where the processor draws, the training has the rest. Times are in seconds.
class FramePace {
public:
    void begin(double now) { began_ = now; }
    void end(double now) { next_ = now + std::min(3.0 * (now - began_), longest); }
    /// A person did something, and waits to see what comes of it.
    void input(double now) { input_ = now; }
    /// How long to wait for it.
    double wait(double now) const { return now - input_ < longest ? 0.0 : std::max(next_ - now, 0.0); }

private:
    static constexpr double longest = 0.5;
    double began_ = 0.0, next_ = 0.0, input_ = -longest;
};

}  // namespace glassformer::app
