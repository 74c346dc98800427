// Every option of every command with values that nobody would pass: exit code 0, 1 or 2, in time, and a message that
// says what is wrong. The options are read from --help, so new ones are covered automatically. This is a program of its
// own because it runs the commands in its own process: starting one for each would take minutes.
#include <doctest/doctest.h>

#include <algorithm>
#include <array>
#include <filesystem>
#include <fstream>
#include <sstream>
#include <string>
#include <vector>

#include "app/cli/cli.h"
#include "tests/contains.h"
#include "tests/core/set_variable.h"
#include "tests/core/temporary_folder.h"
#include "tests/options/said.h"

using namespace glassformer;
using namespace glassformer::app;
namespace fs = std::filesystem;

namespace {

using Words = std::vector<std::string>;

/// argv for main().
std::vector<char*> arguments(Words& words) {
    static std::string name = "glassformer";
    std::vector<char*> result{name.data()};
    for (std::string& word : words) result.push_back(word.data());
    result.push_back(nullptr);
    return result;
}

/// Runs the command. Returns its exit code, and its output in `said`.
int run(Words words, const fs::path& folder, std::string& said) {
    const fs::path file = folder / "said";
    int code = 0;
    {
        const Said to(file);
        std::vector<char*> argv = arguments(words);
        code = run_cli(static_cast<int>(argv.size()) - 1, argv.data());
    }
    std::stringstream text;
    text << std::ifstream(file).rdbuf();
    said = text.str();
    return code;
}

struct Option {
    std::string name;
    bool number = false;
};

/// The options that a command's help lists.
std::vector<Option> options_of(const std::string& command) {
    Words words = command.empty() ? Words{"--help"} : Words{command, "--help"};
    const std::vector<char*> argv = arguments(words);
    const Asked read = read_command_line(static_cast<int>(argv.size()) - 1, argv.data());
    std::istringstream lines(std::get<Answer>(read).text);
    std::vector<Option> found;
    for (std::string line; std::getline(lines, line);) {
        std::istringstream parts(line);
        std::string name, kind;
        parts >> name >> kind;
        if (!name.starts_with("--")) continue;
        const bool number = std::ranges::any_of(std::array{"INT", "UINT", "FLOAT"},
                                                [&](const char* each) { return kind.starts_with(each); });
        found.push_back({name.substr(0, name.find_first_of(",{")), number});
    }
    return found;
}

/// The command line without that option and its value.
Words without(Words words, const std::string& option) {
    const auto at = std::ranges::find(words, option);
    if (at != words.end()) words.erase(at, at + 2);
    return words;
}

// On Windows all arguments are valid text.
const Words values{
    "", "nan", "+nAn", "-inf", "1e999", "-1", "99999999999999999999", "0x", on_windows ? "\u00ff" : "\xff\xfe", "a,,b"};

/// A command line that works, or soon fails, without further options.
struct Command {
    std::string name;
    Words words;
    std::size_t least_options;
};

}  // namespace

TEST_CASE("matrix: every option of every command exits with code 0, 1 or 2 for every wrong value") {
    const TemporaryFolder folder;
    const SetVariable home("HOME", folder.path().string()), x11("DISPLAY", {}), wayland("WAYLAND_DISPLAY", {});
    const fs::path before = fs::current_path(), here = folder / "here";
    fs::create_directory(here);
    fs::current_path(here);  // relative paths such as "nan" end up there
    const std::string out = (folder / "out").string(), none = (folder / "none").string();
    const std::string model = GLASSFORMER_SOURCE_DIR "/assets/models/homonyms";
    const std::vector<Command> commands{
        {"", {}, 3},
        {"train", {"--world", "copying", "--steps", "1", "--batch", "2", "--threads", "1"}, 25},
        {"sweep", {"--world", "copying", "--seeds", "1", "--steps", "1", "--set", "batch=2", "--out", none}, 10},
        {"trace", {"--model", model, "--text", "the bat", "--out", out}, 8},
        {"generate", {"--model", "induction", "--tokens", "3", "--count", "1", "--threads", "1"}, 8},
        {"tokenize", {"--model", none, "--text", "the bat"}, 4},
        {"check", {"--model", none}, 4},
        {"metrics", {none, "--csv", out}, 1},
        {"shot", {none + "/x.png"}, 10},
        {"gallery", {none + "/x.png", "--scenes", none}, 6},
        {"film", {none, out}, 8},
        {"lesson", {"check", none}, 2}};
    int tried = 0;
    const auto try_it = [&](const Words& words, bool must_be_refused) {
        std::string line, said;
        for (const std::string& word : words) line += (line.empty() ? "" : " ") + word;
        const int code = run(words, folder.path(), said);
        CAPTURE(line);
        CAPTURE(said);
        CHECK(code >= 0);
        CHECK(code <= 2);
        CHECK(!contains(said, "unexpected problem"));
        if (code != 0) CHECK(contains(said, "glassformer: "));
        if (must_be_refused) CHECK(code == 2);
        ++tried;
    };
    for (const Command& command : commands) {
        const std::vector<Option> options = options_of(command.name);
        CAPTURE(command.name);
        CHECK(options.size() >= command.least_options);
        for (const Option& option : options) {
            for (const std::string& value : values) {
                Words words = without(command.words, option.name);
                if (!command.name.empty()) words.insert(words.begin(), command.name);
                words.push_back(option.name + "=" + value);
                try_it(words, option.number);
            }
        }
    }
    for (const std::string& value : values) {
        try_it({value}, true);
        try_it({"shot", value}, false);
        try_it({"gallery", value, "--scenes", none}, false);
        try_it({"film", value, out}, false);
        try_it({"export", value, out}, false);
        try_it({"export", none, value}, false);
        try_it({"metrics", value, "--csv", out}, false);
        try_it({"lesson", "check", value}, false);
        try_it({"lesson", value, none}, true);
    }
    CHECK(tried > 900);
    fs::current_path(before);
}
