#pragma once

#include <string>
#include <string_view>

#include "app/panels/setup/setup_fields.h"

/// The pieces of the set-up window; setup_view.cpp lays them out.
namespace glassformer::app {

/// Asks the worker how a world proposes to be learned; `then` is chosen in its place once that is known.
void propose_world(const Frame& frame, const std::string& world, const std::optional<std::string>& unit,
                   std::optional<TrainingSetup> then = std::nullopt);  // setup_asking.cpp
/// Takes the worker's answers, and asks for a preview of what has changed: at most one at a time, and one in 150 ms.
void keep_asking(const Frame& frame);
/// What the worker says of exactly the set-up that is chosen; null while it is being found out.
const SetupPreview* answer_for(const Frame& frame);

/// Ways to fill the switches at once.
struct SetupPreset {
    std::string_view name, meaning;
    void (*change)(TrainingSetup& setup);  // the world's own proposal
};
std::span<const SetupPreset> setup_presets();  // setup_presets.cpp
/// Also the last used set-up, behind the others, where there is one: index setup_presets().size().
void choose_preset(const Frame& frame, int index);

/// Each draws from box.min down and returns where it ends.
float draw_setup_world(const Frame& frame, const Box& box);  // setup_world.cpp
float draw_setup_model(const Frame& frame, const Box& box);  // setup_model.cpp: in two columns where they fit
/// The numbers of the training; items begin with `prefix`. `whole` also asks for batch and seed.
float draw_training_fields(const Frame& frame, const Box& box, std::string_view prefix, TrainingSetup& setup,
                           bool whole);  // setup_training.cpp
/// Presets, what it will cost, and the buttons that begin it.
void draw_setup_foot(const Frame& frame, const Box& box);  // setup_foot.cpp
float setup_foot_height(const Frame& frame, float width);

}  // namespace glassformer::app
