// The manual page agrees with the program: the same commands, each with the same options.
#include <doctest/doctest.h>

#include <algorithm>
#include <cctype>
#include <map>
#include <set>

#include "tests/cli/program.h"

using namespace glassformer;

namespace {

using Names = std::set<std::string>;

std::string joined(const Names& names) {
    std::string result;
    for (const std::string& name : names) result += name + " ";
    return result;
}

/// The run of letters, digits and dashes that starts at `from`.
std::string name_at(const std::string& line, std::size_t from) {
    std::size_t end = from;
    while (end < line.size() && (std::isalnum(static_cast<unsigned char>(line[end])) || line[end] == '-')) ++end;
    return line.substr(from, end - from);
}

/// The page's options and operands by command; the window's under "".
std::map<std::string, Names> in_the_manual() {
    std::istringstream page(contents(GLASSFORMER_SOURCE_DIR "/cmake/packaging/glassformer.1"));
    std::map<std::string, Names> commands;
    Names* names = nullptr;
    bool heading = false;  // the line after .TP names an option
    for (std::string line; std::getline(page, line);) {
        for (std::size_t at; (at = line.find("\\-")) != std::string::npos;) line.replace(at, 2, "-");
        if (line == ".SH THE WINDOW")
            names = &commands[""];
        else if (line.starts_with(".SS "))
            names = &commands[line.substr(4)];
        else if (line.starts_with(".SH "))
            names = nullptr;
        else if (heading && names)
            names->insert(name_at(line, line.find(' ') + 1));
        heading = line == ".TP";
    }
    return commands;
}

/// The name at the start of each line of a section of --help. CLI11 2.5 and newer write its title in capitals.
Names in_the_paragraph(const std::string& help, const std::string& title) {
    Names names;
    std::string capitals = title;
    for (char& c : capitals) c = static_cast<char>(std::toupper(static_cast<unsigned char>(c)));
    const std::size_t begin = std::min(help.find("\n" + title + ":\n"), help.find("\n" + capitals + ":\n"));
    if (begin == std::string::npos) return names;
    std::istringstream lines(help.substr(begin + title.size() + 3));
    // Names start at the second column, or at the tenth if they have no short form; descriptions start further right.
    for (std::string line; std::getline(lines, line) && !line.empty();)
        if (const std::size_t at = line.find_first_not_of(' '); at >= 2 && at <= 10) names.insert(name_at(line, at));
    return names;
}

Names in_the_help(const std::vector<std::string>& command) {
    std::vector<std::string> arguments = command;
    arguments.push_back("--help");
    const std::string help = run(arguments).out;
    Names names = in_the_paragraph(help, "Options");
    names.merge(in_the_paragraph(help, "Positionals"));
    names.merge(in_the_paragraph(help, "Model (the default is the world's own)"));
    CHECK(names.erase("-h") == 1);  // documented once for all commands
    return names;
}

}  // namespace

TEST_CASE("the manual page lists exactly the commands and options of --help") {
    std::map<std::string, Names> manual = in_the_manual();
    CHECK(joined(manual[""]) == joined(in_the_help({})));
    manual.erase("");

    Names commands;
    for (const auto& [command, names] : manual) {
        CAPTURE(command);
        commands.insert(command);
        CHECK(joined(names) == joined(in_the_help({command})));
        CHECK_FALSE(names.empty());
    }
    CHECK(joined(commands) == joined(in_the_paragraph(run({"--help"}).out, "Subcommands")));
}
