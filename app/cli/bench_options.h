#pragma once

#include "app/cli/cli.h"

namespace CLI {
class App;
}

namespace glassformer::app {

/// Adds `glassformer bench` with its options.
void add_bench(CLI::App& app, BenchArgs& args);
/// An option that nothing would read is a mistake: it is told, instead of a figure of something else. Throws
/// CLI::ValidationError.
void check_bench(const CLI::App& bench, const BenchArgs& args);

}  // namespace glassformer::app
