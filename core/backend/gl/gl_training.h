#pragma once

#include <memory>
#include <optional>
#include <span>

#include "core/backend/gl/gl_backend.h"

namespace glassformer {

/// AdamW's numbers, as core/train/adamw.h has them, and the clipping before it.
struct GlTrainingOptions {
    float beta1 = 0.9f;
    float beta2 = 0.98f;
    float epsilon = 1e-8f;
    float weight_decay = 0.01f;  // of parameters with two axes or more
    float clip = 1.0f;           // largest norm of the whole gradient
};

/// Training that stays on the GPU: parameters, gradients and moments never leave it unless someone asks. A step only
/// queues work; its loss is there some steps later.
class GlTraining {
public:
    /// Reports that may be on their way at once; a step waits for the oldest beyond that.
    static constexpr int most_pending = 8;

    struct Report {
        std::int64_t step = 0;       // counted from 1
        float loss = 0.0f;           // before the update
        float gradient_norm = 0.0f;  // before clipping; where it or the loss is not finite, nothing was updated
    };

    /// `request.loss` must be set. Parameters and moments start as zeros: see set_parameters().
    GlTraining(GlBackend& backend, std::shared_ptr<const Graph> graph, const PlanRequest& request,
               const GlTrainingOptions& options);
    ~GlTraining();

    /// For its inputs: set them before each step.
    Execution& execution();
    /// The memory that step() changes, to trace with: GlBackend::prepare(graph, request, parameters()).
    std::shared_ptr<gl::Parameters> parameters();

    /// Forward, backward, clipping and one update with this learning rate. Does not wait for the GPU.
    void step(float learning_rate);
    /// The oldest report that has arrived and was not handed out yet.
    std::optional<Report> poll();
    /// The oldest report, waiting for it; nothing when none is on its way.
    std::optional<Report> wait();

    /// In the graph's flat order; reading waits for the GPU.
    void set_parameters(std::span<const float> flat);
    void read_parameters(std::span<float> flat) const;
    /// AdamW's m and v, and how many updates they come from.
    void set_moments(std::span<const float> m, std::span<const float> v, std::int64_t updates);
    void read_moments(std::span<float> m, std::span<float> v) const;
    std::int64_t updates() const;

private:
    struct Impl;
    std::unique_ptr<Impl> impl_;
};

}  // namespace glassformer
