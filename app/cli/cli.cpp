#include "app/cli/cli.h"

#include <CLI/CLI.hpp>
#include <cerrno>
#include <cstdio>
#include <filesystem>
#include <new>
#include <system_error>

#include "app/assets/assets.h"
#include "app/cli/checks.h"
#include "app/language/tr.h"
#include "app/ui/text_scale.h"
#include "core/base/error.h"
#include "core/platform/signals.h"
#include "core/platform/system_error.h"
#include "core/tasks/world_kind.h"
#include "core/text/shown_bytes.h"
#include "core/text/utf8.h"
#include "core/train/train_options.h"

namespace glassformer::app {

namespace {

constexpr const char* version = "glassformer 0.1.0";

void add_backend(CLI::App& c, std::string& preference) {
    c.add_option("--backend", preference, "what computes: auto (the faster one), cpu, gl (OpenGL compute shaders)")
        ->check(CLI::IsMember({"auto", "cpu", "gl"}));
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
    for (CLI::Option* settled : {world, unit, steps, seconds, seed, batch, rate, keyframes, run})
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
    c->add_option("--model", a.model,
                  "the folder of a checkpoint or a run, or a model that comes with the program (homonyms)")
        ->check(a_name)
        ->required();
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
    c->add_option("--model", a.model,
                  "the folder of a checkpoint or a run, or a model that comes with the program (homonyms)")
        ->check(a_name)
        ->required();
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
    c->add_option("--size", size, "pixels, e.g. 1600x1000");
    c->add_option("--theme", theme, "light or dark")->check(CLI::IsMember({"light", "dark"}));
    c->add_option("--scale", a.scale, "text size")
        ->check(a_number)
        ->check(CLI::Range(text_scale::least, text_scale::most));
    c->add_option("--script", a.script, "scripted clicks and keys to play first")->check(a_name);
    c->add_option("--text", a.text, "sentence A");
    c->add_option("--compare", a.compare, "sentence B");
    c->add_option("--model", a.model,
                  "the folder of a checkpoint or a run, or a model that comes with the program (homonyms)")
        ->check(a_name);
    add_backend(*c, a.backend);
}

void add_gallery(CLI::App& app, GalleryArgs& a, std::string& size, std::string& theme) {
    CLI::App* c = app.add_subcommand("gallery", "Render every scene of a folder to one contact sheet");
    c->add_option("out", a.out, "PNG file to write")->check(a_name)->required();
    c->add_option("--scenes", a.scenes, "folder of scripts; by default the program's gallery")->check(a_name);
    c->add_option("--each", a.each, "folder to write every picture to in full size")->check(a_name);
    c->add_option("--size", size, "pixels of each, e.g. 1600x1000");
    c->add_option("--theme", theme, "light or dark")->check(CLI::IsMember({"light", "dark"}));
    c->add_option("--scale", a.scale, "text size")
        ->check(a_number)
        ->check(CLI::Range(text_scale::least, text_scale::most));
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
    c->add_option("--model", a.model,
                  "the folder of a checkpoint or a run, or a model that comes with the program (homonyms)")
        ->check(a_name)
        ->required();
    c->add_option("--words", a.words, "how many random words it reads")->check(CLI::Range(1, 1024));
    c->add_option("--seed", a.seed, "which words, and which numbers are looked at");
    c->add_option("--threads", a.threads, "0: one per core")->check(CLI::Range(0, 256));
    c->add_option("--backend", a.backend,
                  "auto (compares OpenGL with the processor where it can), cpu (does not), gl (it must)")
        ->check(CLI::IsMember({"auto", "cpu", "gl"}));
}

void add_film(CLI::App& app, FilmArgs& a, std::string& size, std::string& theme) {
    CLI::App* c = app.add_subcommand("film", "Render the window at every kept step of a training, as numbered PNGs");
    c->add_option("from", a.from, "a run's folder, or a checkpoint's with its timeline")->check(a_name)->required();
    c->add_option("out", a.out, "new folder for the pictures")->check(a_name)->required();
    c->add_option("--every", a.every, "smallest number of steps between two pictures")
        ->check(CLI::Range(std::int64_t{1}, std::int64_t{100'000'000}));
    c->add_option("--size", size, "pixels, e.g. 1600x1000");
    c->add_option("--theme", theme, "light or dark")->check(CLI::IsMember({"light", "dark"}));
    c->add_option("--scale", a.scale, "text size")
        ->check(a_number)
        ->check(CLI::Range(text_scale::least, text_scale::most));
    c->add_option("--script", a.script, "scripted clicks and keys to play first: they choose what is shown")
        ->check(a_name);
    c->add_option("--text", a.text, "sentence A");
    c->add_option("--compare", a.compare, "sentence B");
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

template <class Args>
void parse_size(const std::string& size, Args& a) {
    if (size.empty()) return;
    int used = 0;
    if (std::sscanf(size.c_str(), "%5dx%5d%n", &a.width, &a.height, &used) != 2 ||
        static_cast<std::size_t>(used) != size.size() || a.width < 16 || a.height < 16 || a.width > 16384 ||
        a.height > 16384)
        throw CLI::ValidationError("--size",
                                   "\"" + size + "\" is not a size like 1600x1000, from 16x16 to 16384x16384");
}

int fail(const std::string& what, int code) {
    tell(what);
    return code;
}

/// The exit code, when all that was printed has arrived: standard output may be a file on a full disk.
int printed(int code) {
    errno = 0;
    if (std::fflush(stdout) == 0 && !std::ferror(stdout)) return code;
    return fail("cannot write to standard output: " +
                    (errno ? std::generic_category().message(errno) : std::string("is the disk full?")),
                1);
}

/// CLI11's message in one line.
int usage_error(const CLI::ParseError& e) {
    std::string what = e.what();
    for (char& c : what)
        if (c == '\n') c = ' ';
    return fail(what + " (see glassformer --help)", 2);
}

struct Parsed {
    TrainArgs train;
    TraceArgs trace;
    Lists lists;
    GenerateArgs generate;
    TokenizeArgs tokenize;
    CheckArgs check;
    ExportArgs exported;
    MetricsArgs metrics;
    ShotArgs shot;
    GalleryArgs gallery;
    FilmArgs film;
    BenchArgs bench;
    WindowArgs window;
    LessonArgs lesson;
    std::string size = "1600x1000", seeds, theme = "light", language;
};

void describe(CLI::App& app, Parsed& p) {
    app.option_defaults()->always_capture_default();
    app.set_version_flag("--version", version);
    app.require_subcommand(0, 1);
    app.add_option(
           "--model", p.window.model,
           "what to open: the folder of a checkpoint or a run, or a model that comes with the program (homonyms)")
        ->check(a_name);
    app.add_option("--language", p.language, "of the texts on the screen, e.g. de; the system's where not given");
    add_backend(app, p.window.backend);
    add_train(app, p.train);
    add_trace(app, p.trace, p.lists);
    add_generate(app, p.generate, p.lists);
    add_tokenize(app, p.tokenize);
    add_check(app, p.check);
    add_export(app, p.exported);
    add_metrics(app, p.metrics);
    add_shot(app, p.shot, p.size, p.theme);
    add_gallery(app, p.gallery, p.size, p.theme);
    add_film(app, p.film, p.size, p.theme);
    add_lesson(app, p.lesson, p.seeds);
    CLI::App* bench = app.add_subcommand("bench", "Measure this machine");
    bench->add_flag("--json", p.bench.json, "one JSON object instead of a table");
    bench
        ->add_option("--only", p.bench.only,
                     "parts to measure, e.g. training,gpt2; with OpenGL: dispatch, products, training, attention, heat")
        ->delimiter(',')
        ->check(CLI::IsMember({"frames", "large_frames", "beside", "scrubbing", "induction", "training", "tracing",
                               "scaling", "gpt2", "large", "memory", "dispatch", "products", "attention", "heat"}));
    bench->add_flag("--full", p.bench.full,
                    "with OpenGL: the large sizes on a software renderer too, once each; takes minutes");
    bench->add_option("--minutes", p.bench.minutes, "how long the part \"memory\" trains")->check(CLI::Range(1, 1440));
    bench->add_option("--threads", p.bench.threads, "0: one per core")->check(CLI::Range(0, 256));
    bench
        ->add_option("--model", p.bench.model,
                     "the folder of a checkpoint or a run, or a model that comes with the program (homonyms)")
        ->check(a_name);
    add_backend(*bench, p.bench.backend);
}

/// The system's language where none is named; English where that has no catalogue.
void choose_language(const std::string& language) {
    const std::filesystem::path folder = locale_folder();
    if (use_language(language, folder) || language.empty() || language == "en") return;
    throw CLI::ValidationError("--language", "there is no language \"" + language + "\" in " + folder.string());
}

int dispatch(CLI::App& app, Parsed& p) {
    choose_language(p.language);
    if (app.got_subcommand("train")) {
        if (p.train.world.empty() && p.train.resume.empty())
            throw CLI::ValidationError("train", "give a world with --world, or a run to continue with --resume");
        return run_train(p.train);
    }
    if (app.got_subcommand("export")) return run_export(p.exported);
    if (app.got_subcommand("metrics")) return run_metrics(p.metrics);
    if (app.got_subcommand("trace")) {
        TraceArgs& a = p.trace;
        if (!p.lists.tokens.empty()) a.tokens = ids_in("--tokens", p.lists.tokens);
        if (!p.lists.source_tokens.empty()) a.source_tokens = ids_in("--source-tokens", p.lists.source_tokens);
        if (!p.lists.values.empty()) a.values = numbers_in("--values", p.lists.values);
        if (a.text.empty() && a.tokens.empty() && a.values.empty() && a.source_text.empty() && a.source_tokens.empty())
            throw CLI::ValidationError("trace",
                                       "give a sentence with --text, token ids with --tokens, or numbers with "
                                       "--values");
        return run_trace(p.trace);
    }
    if (app.got_subcommand("generate")) {
        if (!p.lists.tokens.empty()) p.generate.tokens = ids_in("--tokens", p.lists.tokens);
        if (p.generate.text.empty() && p.generate.tokens.empty())
            throw CLI::ValidationError("generate", "give the beginning with --text or token ids with --tokens");
        return run_generate(p.generate);
    }
    if (app.got_subcommand("tokenize")) {
        if (p.tokenize.text.has_value() == !p.tokenize.file.empty())
            throw CLI::ValidationError("tokenize", "give a text with --text, or a file with --file");
        return run_tokenize(p.tokenize);
    }
    if (app.got_subcommand("check")) return run_check(p.check);
    if (app.got_subcommand("shot")) {
        parse_size(p.size, p.shot);
        p.shot.dark = p.theme == "dark";
        return run_shot(p.shot);
    }
    if (app.got_subcommand("gallery")) {
        parse_size(p.size, p.gallery);
        p.gallery.dark = p.theme == "dark";
        return run_gallery(p.gallery);
    }
    if (app.got_subcommand("film")) {
        parse_size(p.size, p.film);
        p.film.dark = p.theme == "dark";
        return run_film(p.film);
    }
    if (app.got_subcommand("lesson")) {
        parse_seeds(p.seeds, p.lesson);
        return run_lesson(p.lesson);
    }
    if (app.got_subcommand("bench")) return run_bench(p.bench);
    p.window.language = p.language;
    return run_window(p.window);
}

}  // namespace

void tell(const std::string& message) { std::fprintf(stderr, "glassformer: %s\n", shown_bytes(message).c_str()); }

int run_cli(int argc, char** argv) {
    platform::ignore_file_size_signal();
    CLI::App app("Glassformer: a transformer made of glass. Without a subcommand it opens the window.", "glassformer");
    Parsed parsed;
    describe(app, parsed);
    try {
        app.parse(argc, argv);
        return printed(dispatch(app, parsed));
    } catch (const CLI::ParseError& e) {
        if (e.get_exit_code() == 0) return printed(app.exit(e));  // --help, --version
        return usage_error(e);
    } catch (const Error& e) {
        return fail(e.what(), 1);
    } catch (const std::filesystem::filesystem_error& e) {
        return fail(glassformer::describe(e), 1);
    } catch (const std::bad_alloc&) {
        return fail("there is not enough memory for this; close other programs, or take a smaller model or batch", 1);
    } catch (const std::exception& e) {
        return fail(std::string("stopped by an unexpected problem: ") + e.what(), 1);
    }
}

}  // namespace glassformer::app
