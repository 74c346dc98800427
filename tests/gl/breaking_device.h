#pragma once

#include "core/base/error.h"
#include "core/devices/gl_training_device.h"

namespace glassformer::testing {

/// A device that fails at one of its calls, like a driver that loses its context.
class BreakingDevice final : public TrainingDevice {
public:
    BreakingDevice(GlBackend& gl, int steps) : real_(gl), left_(steps) {}

    std::string description() const override { return real_.description(); }
    void plan(const TransformerGraph& m, const RunningStatistics& s) override { real_.plan(m, s); }
    void set_method(const OptimizerOptions& o, float clip) override { real_.set_method(o, clip); }
    void freeze_at_zero(std::span<const ParameterRange> r) override { real_.freeze_at_zero(r); }
    void write(std::span<const float> p, std::span<const float> m, std::span<const float> v, std::int64_t n) override {
        real_.write(p, m, v, n);
    }
    Execution& execution() override { return real_.execution(); }
    void step(float rate, std::span<const float> shares) override {
        if (left_-- == 0) throw Error("the OpenGL context was lost");
        real_.step(rate, shares);
    }
    std::optional<Report> report(bool waiting) override { return real_.report(waiting); }
    void read_parameters(std::span<float> p) const override { require(), real_.read_parameters(p); }
    void read_gradients(std::span<float> g) const override { require(), real_.read_gradients(g); }
    void read_moments(std::span<float> m, std::span<float> v) const override { require(), real_.read_moments(m, v); }

private:
    void require() const {
        if (left_ < 0) throw Error("the OpenGL context was lost");
    }

    GlTrainingDevice real_;
    int left_;
};

}  // namespace glassformer::testing
