#pragma once

#include <memory>
#include <optional>
#include <span>
#include <vector>

#include "core/backend/gl/gl_backend.h"

namespace glassformer {

/// How to make an update; the values are those of core/train/optimizer.h.
struct GlMethod {
    enum class Kind { sgd, momentum, adam, adamw };
    Kind kind = Kind::adamw;
    float beta1 = 0.9f;
    float beta2 = 0.98f;
    float momentum = 0.9f;
    float epsilon = 1e-8f;
    float weight_decay = 0.01f;  // for parameters with two or more axes
    float clip = 1.0f;           // largest norm of the whole gradient

    bool operator==(const GlMethod&) const = default;
};

/// A parameter that is not learned but follows a batch statistic: running += momentum · (share · now − running).
struct GlRunning {
    int of_batch = -1, running = -1;  // nodes; the first must be kept
    float momentum = 0.1f;
};

/// Cells of the flat parameter vector that are 0 and stay 0.
struct GlHeld {
    std::int64_t offset = 0, count = 0;
};

/// Training that stays on the GPU: parameters, gradients and moments never leave it unless requested. A step only
/// queues work; its loss arrives some steps later.
class GlTraining {
public:
    /// The most reports that may be in flight at once.
    static constexpr int most_pending = 8;

    struct Report {
        std::int64_t step = 0;       // counted from 1, including earlier updates (set_moments)
        float loss = 0.0f;           // before the update
        float gradient_norm = 0.0f;  // before clipping
        bool finite = true;          // whether every number of the forward pass was finite, if `request` sets `watch`
    };                               // if any of the three is not finite, nothing was updated

    /// `request.loss` must be set. Parameters and moments start at zero; see set_parameters().
    GlTraining(GlBackend& backend, std::shared_ptr<const Graph> graph, const PlanRequest& request,
               const GlMethod& method, std::vector<GlRunning> running = {});
    ~GlTraining();

    /// Use it to set the inputs before each step.
    Execution& execution();
    /// The memory that step() changes, for tracing with GlBackend::prepare(graph, request, parameters()).
    std::shared_ptr<gl::Parameters> parameters();

    // These apply from the next step on.
    /// Keeps the moments as they are, even for another kind; see set_moments().
    void set_method(const GlMethod& method);
    /// Treats the gradient of exactly these cells as 0. The caller must clear weights and moments.
    void freeze_at_zero(std::span<const GlHeld> cells);

    /// Forward, backward, clipping and one update with this learning rate; `shares` has one value per GlRunning. Does
    /// not wait for the GPU. Throws Error if most_pending reports have not been taken, or the driver reports an error.
    /// After a non-finite step, no step changes anything until set_parameters() is called.
    void step(float learning_rate, std::span<const float> shares = {});
    /// The oldest report that has arrived and was not taken yet.
    std::optional<Report> poll();
    /// Waits for the oldest report; nothing if none is in flight.
    std::optional<Report> wait();

    /// In the graph's flat order. Reading waits for the GPU.
    void set_parameters(std::span<const float> flat);
    void read_parameters(std::span<float> flat) const;
    void read_gradients(std::span<float> flat) const;
    /// The optimizer's m and v, and the number of updates behind them; empty if the method has none.
    void set_moments(std::span<const float> m, std::span<const float> v, std::int64_t updates);
    void read_moments(std::span<float> m, std::span<float> v) const;
    std::int64_t updates() const;

private:
    struct Impl;
    std::unique_ptr<Impl> impl_;
};

}  // namespace glassformer
