#include "app/cli/command_options.h"

#include <CLI/CLI.hpp>

#include "app/cli/checks.h"
#include "app/language/sentences.h"
#include "app/language/tr.h"
#include "app/ui/text_scale.h"

namespace glassformer::app {

namespace {

constexpr const char* version = "glassformer 0.1.0";
// The default that help shows for an option that is set elsewhere.
constexpr const char* of_program = "homonyms";

CLI::Option* add_model(CLI::App& c, std::string& model) {
    return c
        .add_option("--model", model,
                    "the folder of a checkpoint or a run, or the name of an included model (homonyms)")
        ->check(a_name);
}

/// Adds --model to a command that plays a lesson.
void add_lesson_model(CLI::App& c, std::string& model) {
    c.add_option("--model", model,
                 "the model that the lesson starts with, if it is not included with the program: the folder of a "
                 "checkpoint or a run, or a .glass file")
        ->check(a_name);
}

void add_look(CLI::App& c, const char* what_size, Parsed& p, Look& look) {
    c.add_option("--size", p.size, what_size);
    c.add_option("--theme", p.theme, "light or dark")->check(CLI::IsMember({"light", "dark"}));
    c.add_option("--scale", look.scale, "text size")
        ->check(a_number)
        ->check(CLI::Range(text_scale::least, text_scale::most));
}

void add_caption(CLI::App& c, bool& caption, CLI::Option* panel) {
    c.add_flag("--caption", caption, "add a caption: model, step and sentences")->needs(panel);
}

void add_pair(CLI::App& c, std::optional<std::string>& pair, CLI::Option* text) {
    c.add_option("--pair", pair, "a second sentence, for BERT or RoBERTa")->needs(text);
}

void add_trace(CLI::App& app, TraceArgs& a, Lists& lists) {
    CLI::App* c = app.add_subcommand("trace", "Write every value of one forward pass to a file");
    add_model(*c, a.model)->required();
    auto* text = c->add_option("--text", a.text, "the sentence");
    add_pair(*c, a.pair, text);
    c->add_option("--tokens", lists.tokens, "its token IDs instead, e.g. 5,17,3")->default_str("")->excludes(text);
    auto* source = c->add_option("--source-text", a.source_text,
                                 "the sentence to translate; without --text the model writes the translation");
    c->add_option("--source-tokens", lists.source_tokens, "its token IDs instead")->default_str("")->excludes(source);
    c->add_option("--values", lists.values, "rows of numbers, for a model that reads numbers")
        ->default_str("")
        ->excludes(text);
    c->add_option("--gradients", a.gradients,
                  "also write NAME_grad, how steeply an answer changes with each value: loss, loss:WORD or logit:WORD")
        ->check(a_name);
    c->add_option("--out", a.out, "file to write: .safetensors, or .npz for NumPy")->check(a_name)->required();
    add_backend(*c, a.backend);
}

void add_generate(CLI::App& app, GenerateArgs& a, Lists& lists) {
    CLI::App* c = app.add_subcommand("generate", "Continue a text with a model that predicts the next token");
    add_model(*c, a.model)->required();
    auto* text = c->add_option("--text", a.text, "the text to continue");
    c->add_option("--tokens", lists.tokens, "its token IDs instead, e.g. 5,17,3")->default_str("")->excludes(text);
    c->add_option("--count", a.count, "tokens to add")->check(CLI::Range(1, 1 << 16));
    c->add_option("--temperature", a.temperature, "0: always the most likely")
        ->check(a_number)
        ->check(CLI::Range(0.0f, 100.0f));
    c->add_option("--top-k", a.top_k, "sample from the k most likely tokens (0: from all)")
        ->check(CLI::Range(0, 1 << 20));
    c->add_option("--seed", a.seed, "the same seed samples the same tokens")->check(a_seed);
    c->add_option("--threads", a.threads, "0: one per core")->check(CLI::Range(0, 256));
}

void add_export(CLI::App& app, ExportArgs& a) {
    CLI::App* c =
        app.add_subcommand("export", "Write the model of a run as a checkpoint, for Hugging Face if possible");
    c->add_option("from", a.from, "the folder of a run or a checkpoint")->check(a_name)->required();
    c->add_option("out", a.out, "folder to write")->check(a_name)->required();
}

void add_pack(CLI::App& app, PackArgs& a) {
    CLI::App* c = app.add_subcommand("pack", "Save a model and what the screen shows as one file for students");
    c->add_option("from", a.from, "the folder of a checkpoint or a run, or the name of an included model (homonyms)")
        ->check(a_name)
        ->required();
    c->add_option("out", a.out, "file to write: *.glass")->check(a_name)->required();
    c->add_option("--text", a.text, "sentence A");
    c->add_option("--compare", a.compare, "sentence B");
    c->add_option("--script", a.script, "scripted clicks and keys to play first: they choose what is shown")
        ->check(a_name);
    c->add_option("--lesson", a.lesson,
                  "a lesson that starts when the file is opened: a *.lesson file, or the name of an included one")
        ->check(a_name);
    c->add_option("--web", a.web, "also write a page for browsers that opens with it: *.html")->check(a_name);
    c->add_option("--page", a.page, "the program as a page, which --web is made of")->check(a_name)->needs("--web");
}

void add_grade(CLI::App& app, GradeArgs& a) {
    CLI::App* c = app.add_subcommand("grade", "Mark the homework of a class by replaying each answer");
    c->add_option("folder", a.folder, "folder of the files that were handed in (*.glass)")->check(a_name)->required();
    c->add_option("--csv", a.csv, "table to write, a row for each task and question; - prints it")
        ->check(a_name)
        ->required();
    c->add_option("--lesson", a.lesson,
                  "the lesson that was assigned: a *.lesson file, or the name of an included one; by default, the "
                  "included lesson that each file names")
        ->check(a_name);
    add_lesson_model(*c, a.model);
    c->add_option("--most-steps", a.most_steps, "do not repeat training runs of more steps than this")
        ->check(CLI::Range(std::int64_t{0}, std::int64_t{1'000'000}));
}

void add_metrics(CLI::App& app, MetricsArgs& a) {
    CLI::App* c = app.add_subcommand("metrics", "Write the curves of a run as a table");
    c->add_option("from", a.from, "the folder of a run or a checkpoint")->check(a_name)->required();
    c->add_option("--csv", a.csv, "file to write; - prints it")->check(a_name)->required();
}

void add_shot(CLI::App& app, Parsed& p) {
    ShotArgs& a = p.shot;
    CLI::App* c = app.add_subcommand("shot", "Render the window or a panel to a file, without a display");
    c->add_option("out", a.out, "file to write: .png; of a panel also .svg, .pdf, or its numbers as .csv, .npz")
        ->check(a_name)
        ->required();
    auto* panel = c->add_option("--panel", a.panel,
                                "one item of the screen, e.g. A/pattern (the script command `print *` lists them), or "
                                "window; on a white background")
                      ->check(a_name);
    c->add_option("--times", a.times, "size of a panel's PNG, 1 to 4")->check(CLI::Range(1, 4))->needs(panel);
    add_caption(*c, a.caption, panel);
    add_look(*c, N_("pixels, e.g. 1600x1000"), p, a.look);
    c->add_option("--script", a.script, "scripted clicks and keys to play first")->check(a_name);
    auto* text = c->add_option("--text", a.text, "sentence A; default: a sample");
    add_pair(*c, a.pair, text);
    c->add_option("--compare", a.compare, "sentence B; default: a sample");
    add_model(*c, a.model)->default_str(of_program);
    add_backend(*c, a.backend);
}

void add_gallery(CLI::App& app, Parsed& p) {
    GalleryArgs& a = p.gallery;
    CLI::App* c = app.add_subcommand("gallery", "Render every scene of a folder into one contact sheet");
    c->add_option("out", a.out, "PNG file to write")->check(a_name)->required();
    c->add_option("--scenes", a.scenes, "folder of scripts")->default_str(tr("the program's gallery"))->check(a_name);
    c->add_option("--each", a.each, "folder for every picture in full size")->check(a_name);
    add_look(*c, N_("pixels of each, e.g. 1600x1000"), p, a.look);
    c->add_option("--thumbnail", a.thumbnail, "width of each on the sheet, in pixels")->check(CLI::Range(16, 4096));
}

void add_tokenize(CLI::App& app, TokenizeArgs& a) {
    CLI::App* c = app.add_subcommand("tokenize", "Print the tokens of a text: IDs, pieces, and the bytes of each");
    add_model(*c, a.model)
        ->description(N_("a model, as for other commands; the folder of a tokenizer alone is enough"))
        ->required();
    auto* text = c->add_option("--text", a.text, "the text");
    add_pair(*c, a.pair, text);
    c->add_option("--file", a.file, "a file with the text")->check(a_name);
    c->add_flag("--json", a.json, "one JSON object with IDs, pieces and offsets instead of a table");
}

void add_check(CLI::App& app, CheckArgs& a) {
    CLI::App* c = app.add_subcommand("check", "Recompute random numbers of a model from their explanations");
    add_model(*c, a.model)->required();
    c->add_option("--words", a.words, "how many random words it reads")->check(CLI::Range(1, 1024));
    c->add_option("--seed", a.seed, "which words are read, and which numbers are checked")->check(a_seed);
    c->add_option("--threads", a.threads, "0: one per core")->check(CLI::Range(0, 256));
    c->add_option("--backend", a.backend,
                  "auto (compares OpenGL with the CPU if possible), cpu (does not), gl (requires it)")
        ->check(CLI::IsMember({"auto", "cpu", "gl"}));
}

void add_film(CLI::App& app, Parsed& p) {
    FilmArgs& a = p.film;
    CLI::App* c = app.add_subcommand("film", "Render the window at every kept step of a training, as numbered PNGs");
    c->add_option("from", a.from, "the folder of a run, or of a checkpoint with its timeline")
        ->check(a_name)
        ->required();
    c->add_option("out", a.out, "new folder for the pictures; or a film, *.mp4 or *.gif (needs ffmpeg)")
        ->check(a_name)
        ->required();
    CLI::Option* every = c->add_option("--every", a.every, "least number of steps between two pictures")
                             ->check(CLI::Range(std::int64_t{1}, std::int64_t{100'000'000}));
    add_look(*c, N_("pixels, e.g. 1600x1000"), p, a.look);
    c->add_option("--script", a.script, "scripted clicks and keys to play first: they choose what is shown")
        ->check(a_name);
    c->add_option("--text", a.text, "sentence A");
    c->add_option("--compare", a.compare, "sentence B");
    CLI::Option* panel =
        c->add_option("--panel", a.panel, "one item of the screen alone, e.g. A/pattern")->check(a_name);
    add_caption(*c, a.caption, panel);
    CLI::Option* rate = c->add_option("--rate", a.rate, "pictures per second of an *.mp4 or *.gif")
                            ->check(a_number)
                            ->check(CLI::Range(0.1, 60.0));
    c->add_flag("--forward", a.forward,
                "film the forward pass of one sentence instead, as the view Whole model plays it")
        ->excludes(every)
        ->excludes(rate);  // a forward pass has no steps, and plays at the pace of its captions
}

void add_lesson(CLI::App& app, LessonArgs& a, std::string& seeds) {
    CLI::App* c =
        app.add_subcommand("lesson", "Play a lesson: report what is wrong with it, or write a teacher's sheet");
    c->add_option(
         "action", a.action,
         "check: unanswerable steps, texts that do not fit, answers in sight; sheet: a page with numbers and answers")
        ->check(CLI::IsMember({"check", "sheet"}))
        ->required();
    c->add_option("file", a.file, "a *.lesson file, or the name of an included lesson")->check(a_name)->required();
    add_lesson_model(*c, a.model);
    c->add_option("--seeds", seeds,
                  "check on new models trained from these seeds, e.g. 3 or 1..5; default: the included models");
    c->add_option("--out", a.out, "HTML file to write the sheet to")->check(a_name);
}

// CLI11's own words in help. Some have two forms: 2.5 and newer use capitals.
constexpr const char* labels[] = {N_("Usage"),       N_("OPTIONS"),     N_("SUBCOMMAND"),
                                  N_("SUBCOMMANDS"), N_("Positionals"), N_("POSITIONALS"),
                                  N_("REQUIRED"),    N_("Needs"),       N_("Excludes")};
// CLI11's groups, options and types of values.
[[maybe_unused]] constexpr const char* others[] = {N_("Options"),
                                                   N_("Subcommands"),
                                                   N_("Print this help message and exit"),
                                                   N_("Display program version information and exit"),
                                                   N_("TEXT"),
                                                   N_("INT"),
                                                   N_("UINT"),
                                                   N_("FLOAT"),
                                                   N_("{1} in [{2} - {3}]")};

// CLI11's error messages, in its versions 2.1 to 2.6: tr_sentence() matches them.
[[maybe_unused]] constexpr const char* messages[] = {
    N_("{1} is required"),
    N_("{1} requires {2}"),
    N_("{1} excludes {2}"),
    N_("The following argument was not expected: {1}"),
    N_("The following arguments were not expected: {1}"),
    N_("Could not convert: {1} = {2}"),
    N_("The value {1} is not an allowed value for {2}"),
    N_("{1}: Should be true/false or a number"),
    N_("{1}: too many inputs for a flag"),
    N_("Expected exactly {1} arguments to {2}, got {3}"),
    N_("Expected at least {1} arguments to {2}, got {3}"),
    N_("{1}: At least {2} required but received {3}"),
    N_("{1}: At Most {2} required but received {3}"),
    N_("{1}: at most {2} required but received {3}"),
    N_("{1}: {2} required {3} missing"),
    N_("{1} was given a disallowed flag override"),
    N_("Value {1} not in range [{2} - {3}]"),
    N_("Value {1} not in range {2} to {3}"),
    N_("{1} not in {2}"),
    N_("{1}: {2}"),
};

/// Translates the type and bounds of an option's value: "INT:INT in [1 - 16]", "TEXT:{light,dark}".
std::string translated_type(const std::string& type) {
    const std::size_t colon = type.find(':');
    if (colon == std::string::npos) return tr(type);
    return tr(type.substr(0, colon)) + ":" + tr_sentence(type.substr(colon + 1));
}

void translate(CLI::App& app) {
    CLI::FormatterBase& formatter = *app.get_formatter();
    app.description(tr_sentence(app.get_description()));
    app.group(tr(app.get_group()));
    for (CLI::Option* option : app.get_options()) {
        option->description(tr_sentence(option->get_description()));
        option->group(tr(option->get_group()));
        formatter.label(option->get_type_name(), translated_type(option->get_type_name()));
    }
    for (CLI::App* command : app.get_subcommands([](CLI::App*) { return true; })) translate(*command);
}

}  // namespace

void describe_commands(CLI::App& app, Parsed& p) {
    app.option_defaults()->always_capture_default();
    app.set_version_flag("--version", version);
    app.require_subcommand(0, 1);
    auto* model = app.add_option("--model", p.window.model,
                                 "what to open: a .glass or .gguf file, the folder of a checkpoint or a run, or the "
                                 "name of an included model")
                      ->default_str(of_program)
                      ->check(a_name);
    app.add_option("glass", p.window.file, "a .glass or .gguf file, or a link, to open")
        ->check(a_glass_file)
        ->excludes(model);
    app.add_option("--language", p.language, "language of the screen, e.g. de; default: the system's");
    add_backend(app, p.window.backend);
    add_train(app, p.train);
    add_sweep(app, p.sweep);
    add_trace(app, p.trace, p.lists);
    add_generate(app, p.generate, p.lists);
    add_tokenize(app, p.tokenize);
    add_check(app, p.check);
    add_export(app, p.exported);
    add_pack(app, p.pack);
    add_grade(app, p.grade);
    add_metrics(app, p.metrics);
    add_shot(app, p);
    add_gallery(app, p);
    add_film(app, p);
    add_lesson(app, p.lesson, p.seeds);
}

std::string help_text(CLI::App& app) {
    for (const char* label : labels) app.get_formatter()->label(label, tr(label));
    translate(app);
    return app.help();
}

}  // namespace glassformer::app
