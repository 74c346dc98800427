#pragma once

#include <string>
#include <vector>

#include "app/cli/cli.h"

namespace CLI {
class App;
}

namespace glassformer::app {

/// Comma-separated lists as typed: parsed after all options are read.
struct Lists {
    std::vector<std::string> tokens, source_tokens, values;
};

/// The arguments as typed, by command.
struct Parsed {
    TrainArgs train;
    SweepArgs sweep;
    TraceArgs trace;
    Lists lists;
    GenerateArgs generate;
    TokenizeArgs tokenize;
    CheckArgs check;
    ExportArgs exported;
    PackArgs pack;
    GradeArgs grade;
    MetricsArgs metrics;
    ShotArgs shot;
    GalleryArgs gallery;
    FilmArgs film;
    WindowArgs window;
    LessonArgs lesson;
    std::string size = "1600x1000", seeds, theme = "light", language;
};

/// Adds every command with its options to `app`, each with its meaning and bounds. Parsing fills `parsed`.
void describe_commands(CLI::App& app, Parsed& parsed);
/// Adds `glassformer train`, whose many options have a file of their own.
void add_train(CLI::App& app, TrainArgs& args);
/// Adds `glassformer sweep`.
void add_sweep(CLI::App& app, SweepArgs& args);

/// The text of --help, for the program or the command named before it, in the chosen language. `app` has the
/// descriptions in English; the build collects them where options and commands are added.
std::string help_text(CLI::App& app);

}  // namespace glassformer::app
