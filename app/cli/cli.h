#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <variant>
#include <vector>

#include "core/base/error.h"
#include "core/nn/config.h"

namespace glassformer::app {

/// What the command line says of a new model; where it says nothing, the world's own choice holds.
struct ArchitectureArgs {
    std::optional<int> layers, heads, d_model, d_mlp, key_heads, window;
    std::optional<std::string> family, positions, norm, norm_placement, activation, projections, readout;
    std::optional<bool> residual, mlp_residual, tied, biases, scale, qk_norm, parallel;
    std::optional<float> dropout, rotary_pct;
};

/// The model that is asked for, in a world whose own is `world`. Throws Error where it cannot be built, or cannot learn
/// that world.
TransformerConfig config_of(const TransformerConfig& world, const ArchitectureArgs& args);

/// `glassformer train`: a model of a world, from nothing to a checkpoint.
struct TrainArgs {
    std::string world;
    std::optional<std::string> unit;    // of a text
    std::optional<std::int64_t> steps;  // where nothing is given, the task's own choice
    double seconds = 0.0;               // when above 0, goes before steps
    std::uint64_t seed = 1;
    std::string out, log;
    std::optional<int> batch, longest;
    std::optional<float> data_share;
    std::optional<float> learning_rate;
    int threads = 0;
    int keyframes = 0;            // parameters kept along the way and written with the checkpoint, for the timeline
    std::string run;              // folder to keep the run in
    std::string resume;           // folder of a run to go on with; world, options and seed are then the run's own
    std::int64_t save_every = 0;  // steps between two kept states; 0: by time
    double save_seconds = 10.0;
    std::string backend = "auto";  // or cpu, gl
    ArchitectureArgs model;
};

/// `glassformer sweep`: many models of a world, which differ in one thing or two.
struct SweepArgs {
    std::string world;
    std::optional<std::string> unit;
    std::string seeds;              // "1..6"
    std::vector<std::string> vary;  // "heads=1,2,4"
    std::vector<std::string> set;   // "layers=3", of all runs
    std::optional<std::int64_t> steps;
    int at_once = 0;  // 0: one per core
    std::string out, csv, claim;
    std::optional<std::string> text, compare;  // sentences A and B; the world's own where not given
};

/// `glassformer trace`: every value of one sentence.
struct TraceArgs {
    std::string model, text, source_text, out;
    std::optional<std::string> pair;  // a second sentence, after `text`
    std::vector<int> tokens, source_tokens;
    std::vector<float> values;
    std::string gradients;        // of which answer: "loss", "loss:WORD" or "logit:WORD"; empty: none
    std::string backend = "cpu";  // or auto, gl
};

/// `glassformer generate`: a text, continued by a model.
struct GenerateArgs {
    std::string model, text;
    std::vector<int> tokens;
    int count = 50;
    float temperature = 1.0f;
    int top_k = 0;
    std::uint64_t seed = 1;
    int threads = 0;
};

/// `glassformer tokenize`: a text as the tokens of a model.
struct TokenizeArgs {
    std::string model, file;
    std::optional<std::string> text, pair;
    bool json = false;
};

/// `glassformer check`: whether a model's numbers agree with their explanations.
struct CheckArgs {
    std::string model;
    int words = 24;
    std::uint64_t seed = 1;
    int threads = 0;
    std::string backend = "auto";  // whether OpenGL is compared: where it can, never, always
};

/// `glassformer export`: the model of a run or a checkpoint, as a checkpoint.
struct ExportArgs {
    std::string from, out;
};

/// `glassformer pack`: a model with what is looked at in it, as one file.
struct PackArgs {
    std::string from, out;
    std::string script;                     // played first: it chooses what is looked at
    std::string lesson;                     // that goes with it: a file, or the name of one of the program's
    std::string web;                        // a page for browsers with the file in it; empty: none
    std::string page = "glassformer.html";  // it is made of
    std::optional<std::string> text, compare;
};

/// `glassformer grade`: a class's homework, played again.
struct GradeArgs {
    std::string folder, csv;
    std::string
        lesson;  // that was given out: a file, or the name of one of the program's; empty: the one that a file names
    std::string model;  // that the lesson begins with; empty: the shipped one that it names
    std::int64_t most_steps = 5000;
};

/// `glassformer metrics`: the curves of a run or a checkpoint.
struct MetricsArgs {
    std::string from, csv;
};

/// `glassformer shot`: a picture of the window.
struct ShotArgs {
    std::string out;
    int width = 1600, height = 1000;
    bool dark = false;
    float scale = 1.0f;
    std::string script, model;
    std::string panel;  // an item of the screen, alone; empty: the whole window
    int times = 1;      // the size of its pixels
    bool caption = false;
    std::optional<std::string> text, compare;  // sentences A and B; those of the lecture notes where not given
    std::optional<std::string> pair;           // a second sentence in A, after `text`
    std::string backend = "cpu";               // of the trainings; or auto, gl
};

/// `glassformer gallery`: many pictures of the window on one sheet.
struct GalleryArgs {
    std::string out;
    int width = 1600, height = 1000;
    bool dark = false;
    float scale = 1.0f;
    int thumbnail = 520;       // width of each on the sheet, pixels
    std::string scenes, each;  // folder of scripts; folder to write every picture to in full size
};

/// `glassformer film`: a picture of the window at every kept step of a training.
struct FilmArgs {
    std::string from, out;   // a run's folder or a checkpoint's; the pictures' folder, or *.mp4 or *.gif
    std::int64_t every = 1;  // least number of steps between two pictures
    int width = 1600, height = 1000;
    bool dark = false;
    float scale = 1.0f;
    std::string script;  // played before the first picture: it chooses what is looked at
    std::optional<std::string> text, compare;
    bool forward = false;  // of one forward pass instead of a training
    std::string panel;     // an item of the screen, alone; empty: the whole window
    bool caption = false;  // below the panel
    double rate = 10;      // pictures a second, of a film that is one file
};

/// `glassformer lesson`: what is wrong with a lesson, or a sheet for its teachers.
struct LessonArgs {
    std::string action;                           // check, sheet
    std::string out;                              // of a sheet: the HTML file
    std::string file;                             // or the name of one of the program's lessons
    std::string model;                            // to begin with; empty: the shipped one that the lesson names
    std::uint64_t first_seed = 0, last_seed = 0;  // of models trained for it; 0: the shipped models
};

/// `glassformer` alone: the window.
struct WindowArgs {
    std::string model;
    std::string file;      // the same, as a desktop hands it over; or a link, as a page has it
    std::string link;      // to what is looked at first
    std::string backend;   // auto, cpu or gl; empty: what was chosen last
    std::string language;  // empty: that of the settings, or else of the system
};

/// `glassformer --help` or `--version`: what to print.
struct Answer {
    std::string text;
};

/// What the command line asks for.
using Asked = std::variant<Answer, TrainArgs, SweepArgs, TraceArgs, GenerateArgs, TokenizeArgs, CheckArgs, ExportArgs,
                           PackArgs, GradeArgs, MetricsArgs, ShotArgs, GalleryArgs, FilmArgs, LessonArgs, WindowArgs>;

/// A wrong command line; what() says in one line how it is wrong.
class UsageError : public Error {
public:
    using Error::Error;
};

/// Reads the words and does nothing else. Throws UsageError.
Asked read_command_line(int argc, const char* const* argv);
/// What follows --language; empty: the system's. The language has to be known before the rest is read.
std::string language_in(int argc, const char* const* argv);

/// Each returns the program's exit code and throws Error for what the person has to mend.
int run_train(const TrainArgs& args);
/// 1 when a run has failed.
int run_sweep(const SweepArgs& args);
int run_trace(const TraceArgs& args);
int run_generate(const GenerateArgs& args);
int run_tokenize(const TokenizeArgs& args);
int run_check(const CheckArgs& args);
int run_export(const ExportArgs& args);
int run_pack(const PackArgs& args);
int run_grade(const GradeArgs& args);
int run_metrics(const MetricsArgs& args);
int run_shot(const ShotArgs& args);
int run_gallery(const GalleryArgs& args);
int run_film(const FilmArgs& args);
/// 1 when a check has found something.
int run_lesson(const LessonArgs& args);
int run_window(const WindowArgs& args);

/// A line on standard error, for the person, in the chosen language, or several where a list of reasons is indented
/// below it. Other control characters, which may come from a file, are shown and not sent to the terminal.
void tell(const std::string& message);

/// Reads the command line and runs it: 0 all went well, 1 something failed (one line on standard error), 2 the command
/// line is wrong (one line that says how).
int run_cli(int argc, char** argv);

}  // namespace glassformer::app
