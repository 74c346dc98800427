#include "core/train/step_watch.h"

namespace glassformer {

void StepWatch::keep(std::span<const float> parameters, const Optimizer& optimizer) {
    parameters_.assign(parameters.begin(), parameters.end());
    m_.assign(optimizer.m().begin(), optimizer.m().end());
    v_.assign(optimizer.v().begin(), optimizer.v().end());
    kept_ = true;
}

std::span<const float> StepWatch::change(std::span<const float> parameters) {
    change_.resize(parameters.size());
    for (std::size_t i = 0; i < change_.size(); ++i) change_[i] = parameters[i] - parameters_[i];
    return change_;
}

}  // namespace glassformer
