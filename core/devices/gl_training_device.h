#pragma once

#include <memory>

#include "core/backend/gl/gl_training.h"
#include "core/train/training_device.h"

namespace glassformer {

/// Training with OpenGL compute shaders: forward, backward, clipping, every optimizer, and the running statistics of
/// batch normalization. The backend and its context must outlive this object, and the context must be current wherever
/// it is used.
class GlTrainingDevice final : public TrainingDevice {
public:
    explicit GlTrainingDevice(GlBackend& backend) : backend_(backend) {}

    std::string description() const override { return backend_.description(); }
    void plan(const TransformerGraph& model, const RunningStatistics& statistics) override;
    void set_method(const OptimizerOptions& options, float clip) override;
    void freeze_at_zero(std::span<const ParameterRange> ranges) override;
    void write(std::span<const float> parameters, std::span<const float> m, std::span<const float> v,
               std::int64_t updates) override;
    Execution& execution() override;
    void step(float learning_rate, std::span<const float> shares) override;
    std::optional<Report> report(bool waiting) override;
    void read_parameters(std::span<float> parameters) const override;
    void read_gradients(std::span<float> gradients) const override;
    void read_moments(std::span<float> m, std::span<float> v) const override;

    /// What step() updates, for tracing; throws Error before plan().
    GlTraining& training() const;

private:
    GlBackend& backend_;
    GlMethod method_;
    std::unique_ptr<GlTraining> training_;
};

}  // namespace glassformer
