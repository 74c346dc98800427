#include "app/cli/cli.h"

#include <CLI/CLI.hpp>
#include <algorithm>
#include <cstdio>
#include <span>
#include <string_view>

#include "app/cli/checks.h"
#include "app/cli/command_options.h"
#include "app/common/links.h"
#include "app/language/tr.h"

namespace glassformer::app {

namespace {

/// "3", or "1..5".
void parse_seeds(const std::string& seeds, LessonArgs& a) {
    if (seeds.empty()) return;
    unsigned first = 0, last = 0;
    int used = 0, one = 0;
    const int read = std::sscanf(seeds.c_str(), "%6u%n..%6u%n", &first, &one, &last, &used);
    const bool digits = seeds.find_first_not_of("0123456789.") == std::string::npos;
    const bool whole = read == 1 ? static_cast<std::size_t>(one) == seeds.size()
                                 : read == 2 && static_cast<std::size_t>(used) == seeds.size();
    if (read == 1) last = first;
    if (!digits || !whole || first < 1 || last < first)
        throw CLI::ValidationError(
            "--seeds", filled_with(N_("\"{1}\" is neither a seed such as 3 nor a range such as 1..5"), seeds));
    a.first_seed = first, a.last_seed = last;
}

/// Adds its size and theme.
template <class Args>
Args& drawn(const Parsed& p, Args& a) {
    Look& look = a.look;
    int used = 0;
    if (std::sscanf(p.size.c_str(), "%5dx%5d%n", &look.width, &look.height, &used) != 2 ||
        static_cast<std::size_t>(used) != p.size.size() || look.width < 16 || look.height < 16 || look.width > 16384 ||
        look.height > 16384)
        throw CLI::ValidationError(
            "--size", filled_with(N_("\"{1}\" is not a size like 1600x1000, from 16x16 to 16384x16384"), p.size));
    look.dark = p.theme == "dark";
    return a;
}

/// The window's own options belong to no command: before one they would be read and ignored.
void refuse_before_command(const CLI::App& app) {
    if (app.get_subcommands().empty()) return;
    const CLI::App& command = *app.get_subcommands().front();
    for (const std::string option : {"--model", "--backend", "glass"}) {
        if (app.get_option(option)->count() == 0) continue;
        const bool has_it = option != "glass" && command.get_option_no_throw(option);
        throw CLI::ValidationError(
            option, filled_with(has_it ? N_("before a command it is an option of the window; write it after the "
                                            "command: glassformer {1} … {2} …")
                                       : N_("before a command it is an option of the window; glassformer {1} --help "
                                            "lists this command's options"),
                                command.get_name(), option));
    }
}

/// What the command line means, once all of it is read.
Asked asked(const CLI::App& app, Parsed& p) {
    refuse_before_command(app);
    if (app.got_subcommand("train")) {
        if (p.train.world.empty() && p.train.resume.empty())
            throw CLI::ValidationError("train", N_("give a world with --world, or a run to continue with --resume"));
        return p.train;
    }
    if (app.got_subcommand("sweep")) return p.sweep;
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
            throw CLI::ValidationError(
                "trace", N_("give a sentence with --text, token IDs with --tokens, or numbers with --values"));
        return a;
    }
    if (app.got_subcommand("generate")) {
        if (!p.lists.tokens.empty()) p.generate.tokens = ids_in("--tokens", p.lists.tokens);
        if (p.generate.text.empty() && p.generate.tokens.empty())
            throw CLI::ValidationError("generate",
                                       N_("give the text to continue with --text, or token IDs with --tokens"));
        return p.generate;
    }
    if (app.got_subcommand("tokenize")) {
        if (p.tokenize.text.has_value() == !p.tokenize.file.empty())
            throw CLI::ValidationError("tokenize", N_("give a text with --text, or a file with --file"));
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
    p.window.language = p.language;
    (has_link(p.window.file) ? p.window.link : p.window.model) += p.window.file;
    return p.window;
}

}  // namespace

std::string language_in(int argc, const char* const* argv) {
    constexpr std::string_view option = "--language";
    for (int i = 1; i < argc; ++i) {
        const std::string_view word = argv[i];
        if (word == "--") break;
        if (word == option && i + 1 < argc) return argv[i + 1];
        if (word.starts_with(option) && word.substr(option.size()).starts_with('='))
            return std::string(word.substr(option.size() + 1));
    }
    return {};
}

Asked read_command_line(int argc, const char* const* argv) {
    CLI::App app(N_("Glassformer: a transformer made of glass. Without a subcommand it opens the window."),
                 "glassformer");
    app.allow_windows_style_options(false);  // the same options on every system, and paths that begin with "/"
    Parsed parsed;
    describe_commands(app, parsed);
    try {
        app.parse(argc, argv);
        return asked(app, parsed);
    } catch (const CLI::CallForVersion& e) {
        return Answer{std::string(e.what()) + "\n"};
    } catch (const CLI::CallForHelp&) {
        return Answer{help_text(app)};
    } catch (const CLI::ParseError& e) {
        std::string what = e.what();
        std::ranges::replace(what, '\n', ' ');
        throw UsageError(what);
    } catch (const std::logic_error&) {  // CLI11 reads the value of a switch as a number
        std::string given;
        for (const std::string word : std::span(argv, static_cast<std::size_t>(argc)))
            if (word.find('=') != std::string::npos) given += (given.empty() ? "" : " ") + word;
        throw UsageError("a switch is true or false: {1}", given);
    }
}

}  // namespace glassformer::app
