#pragma once

#include <memory>
#include <optional>
#include <span>
#include <vector>

#include "core/backend/gl/gl_backend.h"

namespace glassformer {

/// How an update is made, with the numbers of core/train/optimizer.h.
struct GlMethod {
    enum class Kind { sgd, momentum, adam, adamw };
    Kind kind = Kind::adamw;
    float beta1 = 0.9f;
    float beta2 = 0.98f;
    float momentum = 0.9f;
    float epsilon = 1e-8f;
    float weight_decay = 0.01f;  // of parameters with two axes or more
    float clip = 1.0f;           // largest norm of the whole gradient

    bool operator==(const GlMethod&) const = default;
};

/// A parameter that is not learned but follows a value of the batch: running += momentum · (share · now − running).
struct GlRunning {
    int of_batch = -1, running = -1;  // nodes; the first must be kept
    float momentum = 0.1f;
};

/// Cells of the flat parameter vector that are 0 and stay 0.
struct GlHeld {
    std::int64_t offset = 0, count = 0;
};

/// Training that stays on the GPU: parameters, gradients and moments never leave it unless someone asks. A step only
/// queues work; its loss is there some steps later.
class GlTraining {
public:
    /// Reports that may be on their way at once.
    static constexpr int most_pending = 8;

    struct Report {
        std::int64_t step = 0;       // counted from 1, with those of before (set_moments)
        float loss = 0.0f;           // before the update
        float gradient_norm = 0.0f;  // before clipping
        bool finite = true;          // whether every number of the forward pass was, where `request` says `watch`
    };                               // where one of the three is not finite, nothing was updated

    /// `request.loss` must be set. Parameters and moments start as zeros: see set_parameters().
    GlTraining(GlBackend& backend, std::shared_ptr<const Graph> graph, const PlanRequest& request,
               const GlMethod& method, std::vector<GlRunning> running = {});
    ~GlTraining();

    /// For its inputs: set them before each step.
    Execution& execution();
    /// The memory that step() changes, to trace with: GlBackend::prepare(graph, request, parameters()).
    std::shared_ptr<gl::Parameters> parameters();

    // From the next step on.
    /// Another kind keeps the moments as they are: set_moments().
    void set_method(const GlMethod& method);
    /// Takes the gradient of these cells, and of no others, for 0; weights and moments are the caller's to clear.
    void freeze_at_zero(std::span<const GlHeld> cells);

    /// Forward, backward, clipping and one update with this learning rate; `shares` has a number for each GlRunning.
    /// Does not wait for the GPU. Throws Error when most_pending reports were not taken, or the driver reports an
    /// error. After a step that is not finite no step changes anything, until set_parameters().
    void step(float learning_rate, std::span<const float> shares = {});
    /// The oldest report that has arrived and was not handed out yet.
    std::optional<Report> poll();
    /// The oldest report, waiting for it; nothing when none is on its way.
    std::optional<Report> wait();

    /// In the graph's flat order; reading waits for the GPU.
    void set_parameters(std::span<const float> flat);
    void read_parameters(std::span<float> flat) const;
    void read_gradients(std::span<float> flat) const;
    /// The optimizer's m and v, and how many updates they come from; empty where the method has none.
    void set_moments(std::span<const float> m, std::span<const float> v, std::int64_t updates);
    void read_moments(std::span<float> m, std::span<float> v) const;
    std::int64_t updates() const;

private:
    struct Impl;
    std::unique_ptr<Impl> impl_;
};

}  // namespace glassformer
