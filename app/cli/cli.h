#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <variant>
#include <vector>

#include "core/base/error.h"
#include "core/nn/config.h"

namespace glassformer::app {

/// A new model's settings from the command line; for those not given, the world's own choice holds.
struct ArchitectureArgs {
    std::optional<int> layers, heads, d_model, d_mlp, key_heads, window;
    std::optional<std::string> family, positions, norm, norm_placement, activation, projections, readout;
    std::optional<bool> residual, mlp_residual, tied, biases, scale, qk_norm, parallel;
    std::optional<float> dropout, rotary_pct;
};

/// The requested model, in a world whose own is `world`. Throws Error if it cannot be built, or cannot learn that
/// world.
TransformerConfig config_of(const TransformerConfig& world, const ArchitectureArgs& args);

/// `glassformer train`: trains a model on a world and saves a checkpoint.
struct TrainArgs {
    std::string world;
    std::optional<std::string> unit;    // tokens of a text file
    std::optional<std::int64_t> steps;  // empty: the task's own choice
    double seconds = 0.0;               // if above 0, overrides steps
    std::uint64_t seed = 1;
    std::string out, log;
    std::optional<int> batch, longest;
    std::optional<float> data_share;
    std::optional<float> learning_rate;
    int threads = 0;
    int keyframes = 0;            // steps whose parameters are kept and written with the checkpoint, for the timeline
    std::string run;              // folder to keep the run in
    std::string resume;           // folder of a run to resume, with its own world, options and seed
    std::int64_t save_every = 0;  // steps between two saved states; 0: by time
    double save_seconds = 10.0;
    std::string backend = "auto";  // auto, cpu or gl
    ArchitectureArgs model;
};

/// `glassformer sweep`: trains many models on a world that differ in one thing or two.
struct SweepArgs {
    std::string world;
    std::optional<std::string> unit;
    std::string seeds;              // "1..6"
    std::vector<std::string> vary;  // "heads=1,2,4"
    std::vector<std::string> set;   // "layers=3", for all runs
    std::optional<std::int64_t> steps;
    int at_once = 0;  // 0: one per core
    std::string out, csv, claim;
    std::optional<std::string> text, compare;  // sentences A and B; empty: the world's own
};

/// `glassformer trace`: writes every value of one sentence.
struct TraceArgs {
    std::string model, text, source_text, out;
    std::optional<std::string> pair;  // a second sentence, after `text`
    std::vector<int> tokens, source_tokens;
    std::vector<float> values;
    std::string gradients;        // of an answer: "loss", "loss:WORD" or "logit:WORD"; empty: none
    std::string backend = "cpu";  // cpu, auto or gl
};

/// `glassformer generate`: continues a text with a model.
struct GenerateArgs {
    std::string model, text;
    std::vector<int> tokens;
    int count = 50;
    float temperature = 1.0f;
    int top_k = 0;
    std::uint64_t seed = 1;
    int threads = 0;
};

/// `glassformer tokenize`: splits a text into a model's tokens.
struct TokenizeArgs {
    std::string model, file;
    std::optional<std::string> text, pair;
    bool json = false;
};

/// `glassformer check`: checks a model's numbers against their explanations.
struct CheckArgs {
    std::string model;
    int words = 24;
    std::uint64_t seed = 1;
    int threads = 0;
    std::string backend = "auto";  // whether to compare OpenGL: if possible, never, always
};

/// `glassformer export`: writes the model of a run or a checkpoint as a checkpoint.
struct ExportArgs {
    std::string from, out;
};

/// `glassformer pack`: saves a model and what the screen shows as one file.
struct PackArgs {
    std::string from, out;
    std::string script;                     // played first: it chooses what is shown
    std::string lesson;                     // to include: a file, or the name of a shipped one
    std::string web;                        // a page for browsers with the file in it; empty: none
    std::string page = "glassformer.html";  // the program's page, which it is made of
    std::optional<std::string> text, compare;
};

/// `glassformer grade`: marks a class's homework by replaying it.
struct GradeArgs {
    std::string folder, csv;
    std::string lesson;  // the assigned one: a file, or a shipped one's name; empty: the one that a homework file names
    std::string model;   // the lesson's first model; empty: the shipped one that it names
    std::int64_t most_steps = 5000;
};

/// `glassformer metrics`: writes the curves of a run or a checkpoint.
struct MetricsArgs {
    std::string from, csv;
};

/// How pictures of the window are drawn.
struct Look {
    int width = 1600, height = 1000;
    bool dark = false;
    float scale = 1.0f;
};

/// `glassformer shot`: renders a picture of the window.
struct ShotArgs {
    std::string out;
    Look look;
    std::string script, model;
    std::string panel;  // one item of the screen; empty: the whole window
    int times = 1;      // scale of its PNG
    bool caption = false;
    std::optional<std::string> text, compare;  // sentences A and B; empty: samples of the model's world
    std::optional<std::string> pair;           // a second sentence in A, after `text`
    std::string backend = "cpu";               // for trainings; or auto, gl
};

/// `glassformer gallery`: renders many pictures of the window on one sheet.
struct GalleryArgs {
    std::string out;
    Look look;
    int thumbnail = 520;       // width of each on the sheet, pixels
    std::string scenes, each;  // folder of scripts; folder to write every picture to in full size
};

/// `glassformer film`: renders the window at each kept step of a training.
struct FilmArgs {
    std::string from, out;   // folder of a run or a checkpoint; the pictures' folder, or *.mp4 or *.gif
    std::int64_t every = 1;  // least number of steps between two pictures
    Look look;
    std::string script;  // played before the first picture: it chooses what is shown
    std::optional<std::string> text, compare;
    bool forward = false;  // film one forward pass instead of a training
    std::string panel;     // one item of the screen; empty: the whole window
    bool caption = false;  // below the panel
    double rate = 10;      // pictures per second, if the film is one file
};

/// `glassformer lesson`: checks a lesson, or writes a sheet for its teachers.
struct LessonArgs {
    std::string action;                           // check, sheet
    std::string out;                              // the sheet's HTML file
    std::string file;                             // a file, or the name of a shipped lesson
    std::string model;                            // the first one; empty: the shipped one that the lesson names
    std::uint64_t first_seed = 0, last_seed = 0;  // of models to train for it; 0: the shipped models
};

/// `glassformer` alone: opens the window.
struct WindowArgs {
    std::string model;
    std::string file;      // the same, as a desktop passes it; or a link, as a web page has it
    std::string link;      // to what is shown first
    std::string backend;   // auto, cpu or gl; empty: what was chosen last
    std::string language;  // empty: that of the settings, or else the system's
};

/// `glassformer --help` or `--version`: what to print.
struct Answer {
    std::string text;
};

/// What the command line requests.
using Asked = std::variant<Answer, TrainArgs, SweepArgs, TraceArgs, GenerateArgs, TokenizeArgs, CheckArgs, ExportArgs,
                           PackArgs, GradeArgs, MetricsArgs, ShotArgs, GalleryArgs, FilmArgs, LessonArgs, WindowArgs>;

/// An invalid command line; what() says in one line what is wrong.
class UsageError : public Error {
public:
    using Error::Error;
};

/// Parses the command line and does nothing else. Throws UsageError.
Asked read_command_line(int argc, const char* const* argv);
/// The value of --language; empty: the system's. It must be known before the rest is parsed.
std::string language_in(int argc, const char* const* argv);

/// Each returns the program's exit code and throws Error for what the user has to fix.
int run_train(const TrainArgs& args);
/// Returns 1 if a run has failed.
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
/// Returns 1 if a check has found something.
int run_lesson(const LessonArgs& args);
int run_window(const WindowArgs& args);

/// Writes a line for the user to standard error, in the chosen language; several if a list of reasons is indented below
/// it. Other control characters, which may come from a file, are escaped and not sent to the terminal.
void tell(const std::string& message);

/// Parses the command line and runs it. Returns 0 if all went well, 1 if something failed (one line on standard error),
/// 2 for an invalid command line (one line that says why).
int run_cli(int argc, char** argv);

}  // namespace glassformer::app
