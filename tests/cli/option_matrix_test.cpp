// Every option of every command with values that no person would give: exit code 0, 1 or 2, in time, and never "an
// unexpected problem". The options are read from --help, so that new ones are in it by themselves.
#include <doctest/doctest.h>

#include <algorithm>
#include <map>

#include "tests/cli/program.h"

using namespace glassformer;
namespace fs = std::filesystem;

namespace {

using Words = std::vector<std::string>;

/// The names of a command's options that take a value.
Words options_of(const std::string& command) {
    const Ran help = run(command.empty() ? Words{"--help"} : Words{command, "--help"});
    REQUIRE(help.code == 0);
    Words found;
    std::istringstream lines(help.out);
    for (std::string line; std::getline(lines, line);) {
        std::istringstream words(line);
        std::string name, kind;
        words >> name >> kind;
        const bool takes_value = std::ranges::any_of(Words{"TEXT", "INT", "UINT", "FLOAT"},
                                                     [&](const std::string& each) { return kind.starts_with(each); });
        if (name.starts_with("--") && takes_value) found.push_back(name);
    }
    return found;
}

/// The words without that option and its value.
Words without(Words words, const std::string& option) {
    const auto at = std::ranges::find(words, option);
    if (at != words.end()) words.erase(at, at + 2);
    return words;
}

const Words values{"", "nan", "+nAn", "-inf", "1e999", "-1", "99999999999999999999", "0x", "\xff\xfe", "a,,b"};

}  // namespace

TEST_CASE("matrix: every option with every wrong value ends in time with exit code 0, 1 or 2") {
    const TemporaryFolder folder;
    const std::string out = (folder / "out").string(), none = (folder / "none").string();
    const std::map<std::string, Words> commands{
        {"", {}},
        {"train", {"--world", "copying", "--steps", "1", "--batch", "2", "--threads", "1"}},
        {"trace", {"--model", shipped_model.string(), "--text", "the bat", "--out", out}},
        {"generate", {"--model", "induction", "--tokens", "3", "--count", "1", "--threads", "1"}},
        {"metrics", {none, "--csv", out}},
        {"shot", {none + "/x.png"}},
        {"gallery", {none + "/x.png", "--scenes", none}},
        {"film", {none, out}},
        {"bench", {"--only", "gpt2", "--model", none}}};
    int tried = 0;
    for (const auto& [command, base] : commands) {
        const Words options = options_of(command);
        CAPTURE(command);
        CHECK(options.size() >= (command == "metrics" ? 1 : 2));
        for (const std::string& option : options) {
            for (const std::string& value : values) {
                Words words = without(base, option);
                if (!command.empty()) words.insert(words.begin(), command);
                words.push_back(option + "=" + value);
                const Ran ran = run(
                    words, "unset DISPLAY WAYLAND_DISPLAY; export HOME=" + in_quotes(folder.path()) + "; timeout 30 ");
                CAPTURE(option);
                CAPTURE(value);
                CAPTURE(ran.err);
                CHECK(ran.code >= 0);
                CHECK(ran.code <= 2);
                CHECK_FALSE(ran.says("unexpected problem"));
                if (ran.code != 0) CHECK(ran.says("glassformer: "));
                ++tried;
            }
        }
    }
    CHECK(tried > 400);
}
