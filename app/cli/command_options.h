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

}  // namespace glassformer::app
