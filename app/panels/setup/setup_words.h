#pragma once

#include <span>
#include <string_view>

#include "core/nn/config.h"
#include "core/train/optimizer.h"
#include "core/train/train_options.h"

/// The names of a setup's switches, and what each does, in one line for learners.
namespace glassformer::app {

struct SetupChoice {
    std::string_view name, meaning;
};
/// Returns the choices of the switch with values of this type, in enum order.
std::span<const SetupChoice> setup_choices(Family);
std::span<const SetupChoice> setup_choices(Positions);
std::span<const SetupChoice> setup_choices(NormPlacement);
std::span<const SetupChoice> setup_choices(NormKind);
std::span<const SetupChoice> setup_choices(Activation);
std::span<const SetupChoice> setup_choices(Projections);
std::span<const SetupChoice> setup_choices(Readout);
std::span<const SetupChoice> setup_choices(OptimizerKind);
std::span<const SetupChoice> setup_choices(ScheduleKind);

}  // namespace glassformer::app
