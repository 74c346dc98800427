#pragma once

#include "app/cli/cli.h"

namespace CLI {
class App;
}

namespace glassformer::app {

/// Adds `glassformer train` with its options.
void add_train(CLI::App& app, TrainArgs& args);
/// And `glassformer sweep`.
void add_sweep(CLI::App& app, SweepArgs& args);

}  // namespace glassformer::app
