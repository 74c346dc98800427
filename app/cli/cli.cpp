#include "app/cli/cli.h"

#include <CLI/CLI.hpp>
#include <algorithm>
#include <cstdio>
#include <span>

#include "app/cli/bench_options.h"
#include "app/cli/checks.h"
#include "app/ui/text_scale.h"
#include "core/tasks/world_kind.h"
#include "core/train/train_options.h"

namespace glassformer::app {

namespace {

constexpr const char* version = "glassformer 0.1.0";

CLI::Option* add_model(CLI::App& c, std::string& model) {
    return c
        .add_option("--model", model,
                    "the folder of a checkpoint or a run, or a model that comes with the program (homonyms)")
        ->check(a_name);
}

void add_look(CLI::App& c, const char* what_size, std::string& size, std::string& theme, float& scale) {
    c.add_option("--size", size, what_size);
    c.add_option("--theme", theme, "light or dark")->check(CLI::IsMember({"light", "dark"}));
    c.add_option("--scale", scale, "text size")
        ->check(a_number)
        ->check(CLI::Range(text_scale::least, text_scale::most));
}

void add_saving(CLI::App& train, TrainArgs& a) {
    auto* every = train.add_option("--save-every", a.save_every, "save the run's state every so many steps")
                      ->check(CLI::Range(std::int64_t{1}, std::int64_t{100'000'000}));
    train.add_option("--save-seconds", a.save_seconds, "save it about every so many seconds instead")
        ->check(a_number)
        ->check(CLI::Range(0.0, 1e6))
        ->excludes(every);
}

std::string names_of_worlds() {
    std::string names;
    for (const WorldKind* world : world_kinds) names += (names.empty() ? "" : ", ") + std::string(world->name);
    return names;
}

void add_train(CLI::App& app, TrainArgs& a) {
    CLI::App* c = app.add_subcommand("train", "Train a model on a world and save it");
    auto* world =
        c->add_option("--world", a.world,
                      "a world (" + names_of_worlds() + "), a file of its kind (*.grammar, *.words), or any text file");
    auto* unit = c->add_option("--unit", a.unit, "tokens of a text file")
                     ->check(CLI::IsMember({"characters", "words", "byte_pairs"}));
    auto* steps = c->add_option("--steps", a.steps, "updates to make")
                      ->check(CLI::Range(std::int64_t{0}, std::int64_t{100'000'000}));
    auto* seconds = c->add_option("--seconds", a.seconds, "train for about this long instead")
                        ->check(a_number)
                        ->check(CLI::Range(0.1, 1e6))
                        ->excludes(steps);
    auto* seed =
        c->add_option("--seed", a.seed, "the same seed gives the same bytes on the same machine")->check(a_seed);
    c->add_option("--out", a.out, "folder to save the checkpoint in")->check(a_name);
    c->add_option("--log", a.log, "file for one JSON line per step")->check(a_name);
    auto* batch = c->add_option("--batch", a.batch, "sentences per update")->check(CLI::Range(1, most_in_batch));
    auto* longest = c->add_option("--longest", a.longest, "train on sentences of at most this many tokens")
                        ->check(CLI::Range(1, 1 << 20));
    auto* rate = c->add_option("--learning-rate", a.learning_rate, "peak of the schedule")
                     ->check(a_number)
                     ->check(CLI::Range(1e-8f, 10.0f));
    c->add_option("--threads", a.threads, "0: one per core")->check(CLI::Range(0, 256));
    auto* keyframes =
        c->add_option("--keyframes", a.keyframes, "also save up to this many steps of the training, for the timeline")
            ->check(CLI::Range(0, 1000));
    add_backend(*c, a.backend);
    auto* run =
        c->add_option("--run", a.run, "new folder for the run: settings, log, states to continue from")->check(a_name);
    auto* resume =
        c->add_option("--resume", a.resume, "continue the run in this folder, with its settings")->check(a_name);
    for (CLI::Option* settled : {world, unit, steps, seconds, seed, batch, longest, rate, keyframes, run})
        resume->excludes(settled);
    for (CLI::Option* settled : add_architecture(*c, a.model)) resume->excludes(settled);
    add_saving(*c, a);
}

/// Lists with commas, as they were typed: read when all options are.
struct Lists {
    std::vector<std::string> tokens, source_tokens, values;
};

void add_trace(CLI::App& app, TraceArgs& a, Lists& lists) {
    CLI::App* c = app.add_subcommand("trace", "Write every value of one forward pass to a file");
    add_model(*c, a.model)->required();
    auto* text = c->add_option("--text", a.text, "the sentence");
    c->add_option("--tokens", lists.tokens, "its token ids instead, e.g. 5,17,3")->excludes(text);
    auto* source = c->add_option("--source-text", a.source_text,
                                 "the sentence to translate; without --text the model writes the translation");
    c->add_option("--source-tokens", lists.source_tokens, "its token ids instead")->excludes(source);
    c->add_option("--values", lists.values, "rows of numbers, for a model that reads numbers")->excludes(text);
    c->add_option("--out", a.out, "file to write: .safetensors, or .npz for NumPy")->check(a_name)->required();
    add_backend(*c, a.backend);
}

void add_generate(CLI::App& app, GenerateArgs& a, Lists& lists) {
    CLI::App* c = app.add_subcommand("generate", "Continue a text with a model that writes from left to right");
    add_model(*c, a.model)->required();
    auto* text = c->add_option("--text", a.text, "the beginning");
    c->add_option("--tokens", lists.tokens, "its token ids instead, e.g. 5,17,3")->excludes(text);
    c->add_option("--count", a.count, "tokens to add")->check(CLI::Range(1, 1 << 16));
    c->add_option("--temperature", a.temperature, "0: always the most likely")
        ->check(a_number)
        ->check(CLI::Range(0.0f, 100.0f));
    c->add_option("--top-k", a.top_k, "draw from the k most likely tokens (0: from all)")
        ->check(CLI::Range(0, 1 << 20));
    c->add_option("--seed", a.seed, "the same seed draws the same words")->check(a_seed);
    c->add_option("--threads", a.threads, "0: one per core")->check(CLI::Range(0, 256));
}

void add_export(CLI::App& app, ExportArgs& a) {
    CLI::App* c =
        app.add_subcommand("export", "Write the model of a run as a checkpoint, for Hugging Face if possible");
    c->add_option("from", a.from, "a run's folder, or a checkpoint's")->check(a_name)->required();
    c->add_option("out", a.out, "folder to write")->check(a_name)->required();
}

void add_pack(CLI::App& app, PackArgs& a) {
    CLI::App* c = app.add_subcommand("pack", "Write a model and what is looked at in it as one file for students");
    c->add_option("from", a.from,
                  "the folder of a checkpoint or a run, or a model that comes with the program (homonyms)")
        ->check(a_name)
        ->required();
    c->add_option("out", a.out, "file to write: *.glass")->check(a_name)->required();
    c->add_option("--text", a.text, "sentence A");
    c->add_option("--compare", a.compare, "sentence B");
    c->add_option("--script", a.script, "scripted clicks and keys to play first: they choose what is shown")
        ->check(a_name);
    c->add_option("--lesson", a.lesson, "a lesson that begins when the file is opened: a *.lesson file, or its name")
        ->check(a_name);
}

void add_grade(CLI::App& app, GradeArgs& a) {
    CLI::App* c = app.add_subcommand("grade", "Mark the homework of a class: each answer is played again");
    c->add_option("folder", a.folder, "folder of the files that were handed in (*.glass)")->check(a_name)->required();
    c->add_option("--csv", a.csv, "table to write, a row for each task and question; - prints it")
        ->check(a_name)
        ->required();
    c->add_option(
         "--lesson", a.lesson,
         "the lesson that was given out: a *.lesson file, or the name of one of the program's; where not given, "
         "the program's lesson that a file names")
        ->check(a_name);
    c->add_option("--most-steps", a.most_steps, "longer trainings are not done again")
        ->check(CLI::Range(std::int64_t{0}, std::int64_t{1'000'000}));
}

void add_metrics(CLI::App& app, MetricsArgs& a) {
    CLI::App* c = app.add_subcommand("metrics", "Write the curves of a run as a table");
    c->add_option("from", a.from, "a run's folder, or a checkpoint's")->check(a_name)->required();
    c->add_option("--csv", a.csv, "file to write; - prints it")->check(a_name)->required();
}

void add_shot(CLI::App& app, ShotArgs& a, std::string& size, std::string& theme) {
    CLI::App* c = app.add_subcommand("shot", "Render the window or a panel to a file, without a display");
    c->add_option("out", a.out, "file to write: .png; of a panel also .svg, .pdf, or its numbers as .csv, .npz")
        ->check(a_name)
        ->required();
    auto* panel = c->add_option("--panel", a.panel,
                                "one item of the screen, e.g. A/pattern (the command print of a script tells which "
                                "there are), or window; on white ground")
                      ->check(a_name);
    c->add_option("--times", a.times, "size of a panel's PNG, 1 to 4")->check(CLI::Range(1, 4))->needs(panel);
    c->add_flag("--caption", a.caption, "model, step and sentences below the panel")->needs(panel);
    add_look(*c, "pixels, e.g. 1600x1000", size, theme, a.scale);
    c->add_option("--script", a.script, "scripted clicks and keys to play first")->check(a_name);
    c->add_option("--text", a.text, "sentence A");
    c->add_option("--compare", a.compare, "sentence B");
    add_model(*c, a.model);
    add_backend(*c, a.backend);
}

void add_gallery(CLI::App& app, GalleryArgs& a, std::string& size, std::string& theme) {
    CLI::App* c = app.add_subcommand("gallery", "Render every scene of a folder to one contact sheet");
    c->add_option("out", a.out, "PNG file to write")->check(a_name)->required();
    c->add_option("--scenes", a.scenes, "folder of scripts; by default the program's gallery")->check(a_name);
    c->add_option("--each", a.each, "folder to write every picture to in full size")->check(a_name);
    add_look(*c, "pixels of each, e.g. 1600x1000", size, theme, a.scale);
    c->add_option("--thumbnail", a.thumbnail, "width of each on the sheet, pixels")->check(CLI::Range(16, 4096));
}

void add_tokenize(CLI::App& app, TokenizeArgs& a) {
    CLI::App* c = app.add_subcommand("tokenize", "Print the tokens of a text: ids, pieces, and the bytes of each");
    c->add_option("--model", a.model, "a model's folder; the tokenizer's files alone are enough")
        ->check(a_name)
        ->required();
    c->add_option("--text", a.text, "the text");
    c->add_option("--file", a.file, "a file with the text")->check(a_name);
    c->add_flag("--json", a.json, "one JSON object with ids, pieces and offsets instead of a table");
}

void add_check(CLI::App& app, CheckArgs& a) {
    CLI::App* c = app.add_subcommand("check", "Explain random numbers of a model and compute them again");
    add_model(*c, a.model)->required();
    c->add_option("--words", a.words, "how many random words it reads")->check(CLI::Range(1, 1024));
    c->add_option("--seed", a.seed, "which words, and which numbers are looked at")->check(a_seed);
    c->add_option("--threads", a.threads, "0: one per core")->check(CLI::Range(0, 256));
    c->add_option("--backend", a.backend,
                  "auto (compares OpenGL with the processor where it can), cpu (does not), gl (it must)")
        ->check(CLI::IsMember({"auto", "cpu", "gl"}));
}

void add_film(CLI::App& app, FilmArgs& a, std::string& size, std::string& theme) {
    CLI::App* c = app.add_subcommand("film", "Render the window at every kept step of a training, as numbered PNGs");
    c->add_option("from", a.from, "a run's folder, or a checkpoint's with its timeline")->check(a_name)->required();
    c->add_option("out", a.out, "new folder for the pictures; or a file, *.mp4 or *.gif, which ffmpeg makes")
        ->check(a_name)
        ->required();
    c->add_option("--every", a.every, "smallest number of steps between two pictures")
        ->check(CLI::Range(std::int64_t{1}, std::int64_t{100'000'000}));
    add_look(*c, "pixels, e.g. 1600x1000", size, theme, a.scale);
    c->add_option("--script", a.script, "scripted clicks and keys to play first: they choose what is shown")
        ->check(a_name);
    c->add_option("--text", a.text, "sentence A");
    c->add_option("--compare", a.compare, "sentence B");
    c->add_option("--panel", a.panel, "one item of the screen alone, e.g. A/pattern")->check(a_name);
    c->add_option("--rate", a.rate, "pictures a second of an *.mp4 or *.gif")
        ->check(a_number)
        ->check(CLI::Range(0.1, 60.0));
    c->add_flag("--forward", a.forward, "the forward pass of one sentence, told in the view Whole model");
}

void add_lesson(CLI::App& app, LessonArgs& a, std::string& seeds) {
    CLI::App* c = app.add_subcommand(
        "lesson", "Play a lesson: tell its author what is wrong with it, or write a sheet for teachers");
    c->add_option(
         "action", a.action,
         "check: unanswerable steps, texts that do not fit, answers in sight; sheet: a page with numbers and answers")
        ->check(CLI::IsMember({"check", "sheet"}))
        ->required();
    c->add_option("file", a.file, "a *.lesson file, or the name of one of the program's lessons")
        ->check(a_name)
        ->required();
    c->add_option("--seeds", seeds,
                  "check on fresh models trained from these seeds, e.g. 3 or 1..5; else on the shipped ones");
    c->add_option("--out", a.out, "HTML file to write the sheet to")->check(a_name);
}

/// "3", or "1..5".
void parse_seeds(const std::string& seeds, LessonArgs& a) {
    if (seeds.empty()) return;
    unsigned first = 0, last = 0;
    int used = 0, one = 0;
    const int read = std::sscanf(seeds.c_str(), "%6u%n..%6u%n", &first, &one, &last, &used);
    const bool whole = read == 1 ? static_cast<std::size_t>(one) == seeds.size()
                                 : read == 2 && static_cast<std::size_t>(used) == seeds.size();
    if (read == 1) last = first;
    if (!whole || first < 1 || last < first)
        throw CLI::ValidationError("--seeds", "\"" + seeds + "\" is neither a seed such as 3 nor a range such as 1..5");
    a.first_seed = first, a.last_seed = last;
}

struct Parsed {
    TrainArgs train;
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
    BenchArgs bench;
    WindowArgs window;
    LessonArgs lesson;
    std::string size = "1600x1000", seeds, theme = "light", language;
};

/// With its size and theme.
template <class Args>
Args& drawn(const Parsed& p, Args& a) {
    int used = 0;
    if (std::sscanf(p.size.c_str(), "%5dx%5d%n", &a.width, &a.height, &used) != 2 ||
        static_cast<std::size_t>(used) != p.size.size() || a.width < 16 || a.height < 16 || a.width > 16384 ||
        a.height > 16384)
        throw CLI::ValidationError("--size",
                                   "\"" + p.size + "\" is not a size like 1600x1000, from 16x16 to 16384x16384");
    a.dark = p.theme == "dark";
    return a;
}

void describe(CLI::App& app, Parsed& p) {
    app.option_defaults()->always_capture_default();
    app.set_version_flag("--version", version);
    app.require_subcommand(0, 1);
    auto* model =
        app.add_option("--model", p.window.model,
                       "what to open: a .glass file, the folder of a checkpoint or a run, or a model that comes with "
                       "the program (homonyms)")
            ->check(a_name);
    app.add_option("file", p.window.file, "a .glass file to open")->check(a_glass_file)->excludes(model);
    app.add_option("--language", p.language, "of the texts on the screen, e.g. de; the system's where not given");
    add_backend(app, p.window.backend);
    add_train(app, p.train);
    add_trace(app, p.trace, p.lists);
    add_generate(app, p.generate, p.lists);
    add_tokenize(app, p.tokenize);
    add_check(app, p.check);
    add_export(app, p.exported);
    add_pack(app, p.pack);
    add_grade(app, p.grade);
    add_metrics(app, p.metrics);
    add_shot(app, p.shot, p.size, p.theme);
    add_gallery(app, p.gallery, p.size, p.theme);
    add_film(app, p.film, p.size, p.theme);
    add_lesson(app, p.lesson, p.seeds);
    add_bench(app, p.bench);
}

/// What the words mean, when all of them are read.
Asked asked(const CLI::App& app, Parsed& p) {
    if (app.got_subcommand("train")) {
        if (p.train.world.empty() && p.train.resume.empty())
            throw CLI::ValidationError("train", "give a world with --world, or a run to continue with --resume");
        return p.train;
    }
    if (app.got_subcommand("export")) return p.exported;
    if (app.got_subcommand("pack")) return p.pack;
    if (app.got_subcommand("grade")) return p.grade;
    if (app.got_subcommand("metrics")) return p.metrics;
    if (app.got_subcommand("trace")) {
        TraceArgs& a = p.trace;
        if (!p.lists.tokens.empty()) a.tokens = ids_in("--tokens", p.lists.tokens);
        if (!p.lists.source_tokens.empty()) a.source_tokens = ids_in("--source-tokens", p.lists.source_tokens);
        if (!p.lists.values.empty()) a.values = numbers_in("--values", p.lists.values);
        if (a.text.empty() && a.tokens.empty() && a.values.empty() && a.source_text.empty() && a.source_tokens.empty())
            throw CLI::ValidationError("trace",
                                       "give a sentence with --text, token ids with --tokens, or numbers with "
                                       "--values");
        return a;
    }
    if (app.got_subcommand("generate")) {
        if (!p.lists.tokens.empty()) p.generate.tokens = ids_in("--tokens", p.lists.tokens);
        if (p.generate.text.empty() && p.generate.tokens.empty())
            throw CLI::ValidationError("generate", "give the beginning with --text or token ids with --tokens");
        return p.generate;
    }
    if (app.got_subcommand("tokenize")) {
        if (p.tokenize.text.has_value() == !p.tokenize.file.empty())
            throw CLI::ValidationError("tokenize", "give a text with --text, or a file with --file");
        return p.tokenize;
    }
    if (app.got_subcommand("check")) return p.check;
    if (app.got_subcommand("shot")) return drawn(p, p.shot);
    if (app.got_subcommand("gallery")) return drawn(p, p.gallery);
    if (app.got_subcommand("film")) return drawn(p, p.film);
    if (app.got_subcommand("lesson")) {
        parse_seeds(p.seeds, p.lesson);
        return p.lesson;
    }
    if (app.got_subcommand("bench")) {
        check_bench(*app.get_subcommand("bench"), p.bench);
        return p.bench;
    }
    p.window.language = p.language;
    if (!p.window.file.empty()) p.window.model = p.window.file;
    return p.window;
}

}  // namespace

CommandLine read_command_line(int argc, const char* const* argv) {
    CLI::App app("Glassformer: a transformer made of glass. Without a subcommand it opens the window.", "glassformer");
    Parsed parsed;
    describe(app, parsed);
    try {
        app.parse(argc, argv);
        return {asked(app, parsed), parsed.language};
    } catch (const CLI::CallForVersion& e) {
        return {Answer{std::string(e.what()) + "\n"}, {}};
    } catch (const CLI::CallForHelp&) {
        return {Answer{app.help()}, {}};
    } catch (const CLI::ParseError& e) {
        std::string what = e.what();
        std::ranges::replace(what, '\n', ' ');
        throw UsageError(what);
    } catch (const std::logic_error&) {  // CLI11 takes the value of a switch for a number
        std::string given;
        for (const char* word : std::span(argv, static_cast<std::size_t>(argc)))
            if (std::string_view(word).find('=') != std::string_view::npos) given += std::string(" ") + word;
        throw UsageError("a switch is true or false:" + given);
    }
}

}  // namespace glassformer::app
