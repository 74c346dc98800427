#pragma once

#include <algorithm>

namespace glassformer::app {

/// When the next frame comes that a training asks for, where nobody does anything: drawing takes a quarter of the time
/// at most. A graphics card needs less; where the processor draws, the training has the rest. Times are in seconds.
class FramePace {
public:
    void begin(double now) { began_ = now; }
    void end(double now) { next_ = now + 3.0 * (now - began_); }
    /// How long to wait for it.
    double wait(double now) const { return std::max(next_ - now, 0.0); }

private:
    double began_ = 0.0, next_ = 0.0;
};

}  // namespace glassformer::app
