#include "app/cli/help_text.h"

#include <CLI/CLI.hpp>

#include "app/language/sentences.h"
#include "app/language/tr.h"

namespace glassformer::app {

namespace {

// CLI11's own words in help. Of some there are two forms: 2.5 and newer write capitals.
constexpr const char* labels[] = {N_("Usage"),       N_("OPTIONS"),     N_("SUBCOMMAND"),
                                  N_("SUBCOMMANDS"), N_("Positionals"), N_("POSITIONALS"),
                                  N_("REQUIRED"),    N_("Needs"),       N_("Excludes")};
// Its groups and options, and the kinds of values.
[[maybe_unused]] constexpr const char* others[] = {N_("Options"),
                                                   N_("Subcommands"),
                                                   N_("Print this help message and exit"),
                                                   N_("Display program version information and exit"),
                                                   N_("TEXT"),
                                                   N_("INT"),
                                                   N_("UINT"),
                                                   N_("FLOAT"),
                                                   N_("{1} in [{2} - {3}]")};

// What it finds wrong with the words, in its versions 2.1 to 2.6: tr_sentence() finds it by these.
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

/// "INT:INT in [1 - 16]", "TEXT:{light,dark}": the kind of an option's value, and its bounds.
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

std::string help_text(CLI::App& app) {
    for (const char* label : labels) app.get_formatter()->label(label, tr(label));
    translate(app);
    return app.help();
}

}  // namespace glassformer::app
