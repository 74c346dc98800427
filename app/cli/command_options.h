#pragma once

#include <string>
#include <vector>

#include "app/cli/cli.h"

namespace CLI {
class App;
}

namespace glassformer::app {

/// Lists with commas, as they were typed: read when all options are.
struct Lists {
    std::vector<std::string> tokens, source_tokens, values;
};

/// What was typed, by command.
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

/// Tells `app` every command with its options, each with its meaning and its bounds; parsing fills `parsed`.
void describe_commands(CLI::App& app, Parsed& parsed);
/// That of `glassformer train`, whose many options have a file of their own.
void add_train(CLI::App& app, TrainArgs& args);
/// And `glassformer sweep`.
void add_sweep(CLI::App& app, SweepArgs& args);

/// What --help prints, of the program or of the command that was named before it, in the chosen language. The
/// descriptions are in English in `app`; the build collects them where options and commands are added.
std::string help_text(CLI::App& app);

}  // namespace glassformer::app
