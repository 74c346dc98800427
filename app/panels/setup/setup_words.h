#pragma once

#include <span>
#include <string_view>

#include "core/nn/config.h"
#include "core/train/optimizer.h"
#include "core/train/train_options.h"

/// What the switches of a set-up are called, and what each does, in a line for people who learn.
namespace glassformer::app {

/// The choices of one switch, in the order of its values.
std::span<const std::string_view> choices_of_family();
std::span<const std::string_view> choices_of_positions();
std::span<const std::string_view> choices_of_norm_placement();
std::span<const std::string_view> choices_of_norm();
std::span<const std::string_view> choices_of_activation();
std::span<const std::string_view> choices_of_projections();
std::span<const std::string_view> choices_of_readout();
std::span<const std::string_view> choices_of_optimizer();
std::span<const std::string_view> choices_of_schedule();

std::string_view meaning_of(Family family);
std::string_view meaning_of(Positions positions);
std::string_view meaning_of(NormPlacement placement);
std::string_view meaning_of(NormKind kind);
std::string_view meaning_of(Activation activation);
std::string_view meaning_of(Projections projections);
std::string_view meaning_of(Readout readout);
std::string_view meaning_of(OptimizerKind kind);
std::string_view meaning_of(ScheduleKind kind);

}  // namespace glassformer::app
