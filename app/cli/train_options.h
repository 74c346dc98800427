#pragma once

#include "app/cli/cli.h"

namespace CLI {
class App;
}

namespace glassformer::app {

/// Adds `glassformer train` with its options.
void add_train(CLI::App& app, TrainArgs& args);

}  // namespace glassformer::app
