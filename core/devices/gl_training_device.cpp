#include "core/devices/gl_training_device.h"

#include "core/base/error.h"

namespace glassformer {

namespace {

static_assert(GlTraining::most_pending >= TrainingDevice::most_pending);

GlMethod::Kind kind_of(OptimizerKind kind) {
    switch (kind) {
        case OptimizerKind::sgd:
            return GlMethod::Kind::sgd;
        case OptimizerKind::momentum:
            return GlMethod::Kind::momentum;
        case OptimizerKind::adam:
            return GlMethod::Kind::adam;
        case OptimizerKind::adamw:
            break;
    }
    return GlMethod::Kind::adamw;
}

}  // namespace

void GlTrainingDevice::plan(const TransformerGraph& model, const RunningStatistics& statistics) {
    std::vector<GlRunning> running;
    for (const RunningStatistics::Pair& p : statistics.pairs())
        running.push_back({p.of_batch, p.running, RunningStatistics::momentum});
    training_ = std::make_unique<GlTraining>(backend_, model.graph, PlanRequest{statistics.keep(), model.loss, true},
                                             method_, std::move(running));
}

GlTraining& GlTrainingDevice::training() const {
    if (!training_) throw Error("the graphics card has no model to train yet");
    return *training_;
}

void GlTrainingDevice::set_method(const OptimizerOptions& o, float clip) {
    method_ = {kind_of(o.kind), o.beta1, o.beta2, o.momentum, o.epsilon, o.weight_decay, clip};
    training().set_method(method_);
}

void GlTrainingDevice::freeze_at_zero(std::span<const ParameterRange> ranges) {
    std::vector<GlHeld> held;
    for (const ParameterRange& r : ranges) held.push_back({r.offset, r.count});
    training().freeze_at_zero(held);
}

void GlTrainingDevice::write(std::span<const float> parameters, std::span<const float> m, std::span<const float> v,
                             std::int64_t updates) {
    training().set_parameters(parameters);
    training().set_moments(m, v, updates);
}

Execution& GlTrainingDevice::execution() { return training().execution(); }

void GlTrainingDevice::step(float learning_rate, std::span<const float> shares) {
    training().step(learning_rate, shares);
}

std::optional<TrainingDevice::Report> GlTrainingDevice::report(bool waiting) {
    const std::optional<GlTraining::Report> r = waiting ? training().wait() : training().poll();
    if (!r) return std::nullopt;
    return Report{r->step, r->loss, static_cast<double>(r->gradient_norm), r->finite};
}

void GlTrainingDevice::read_parameters(std::span<float> parameters) const { training().read_parameters(parameters); }
void GlTrainingDevice::read_gradients(std::span<float> gradients) const { training().read_gradients(gradients); }
void GlTrainingDevice::read_moments(std::span<float> m, std::span<float> v) const { training().read_moments(m, v); }

}  // namespace glassformer
