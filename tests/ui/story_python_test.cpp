#include <cmath>
#include <fstream>
#include <string>
#include <vector>

#include "core/platform/program.h"
#include "tests/core/temporary_folder.h"
#include "tests/ui/published_folder.h"
#include "tests/ui/story.h"

using namespace glassformer;
using namespace glassformer::app;
namespace fs = std::filesystem;

namespace {

/// Runs Debian's Python, which has the libraries. Returns false if it is missing.
bool run_python(const std::vector<std::string>& arguments) {
    if (on_windows) return false;  // Wine would start it, but never see its end
    std::vector<std::string> line{"/usr/bin/python3"};
    line.insert(line.end(), arguments.begin(), arguments.end());
    std::string said;
    return platform::run_program(line, "", said);
}

/// Runs the program on the clipboard and returns the number that it prints.
double run_clipboard() {
    const TemporaryFolder folder;
    const std::string file = (folder / "copied.py").string(), printed = (folder / "printed").string();
    std::ofstream(file) << ImGui::GetClipboardText();
    const std::string print_into = "import sys; sys.stdout = open(sys.argv[2], 'w'); exec(open(sys.argv[1]).read())";
    double number = std::nan("");
    if (run_python({"-c", print_into, file, printed})) std::ifstream(printed) >> number;
    return number;
}

/// The path as a Python string has it.
std::string in_python(const fs::path& path) {
    std::string text;
    for (const char c : path.string()) text += c == '\\' ? std::string("\\\\") : std::string(1, c);
    return text;
}

bool have(const std::string& library) {
    if (run_python({"-c", "import " + library})) return true;
    MESSAGE("not run: Python has no " << library << " here (Debian: apt install python3-" << library << ")");
    return false;
}

}  // namespace

TEST_CASE("story: a right click and the palette copy the Python that computes a number") {
    Story story;
    REQUIRE(story.play("key " + std::string("Escape") + "\nclick view/Attention\nframes 3") == "");
    SUBCASE("of the number under the pointer") {
        const double weight = story.value("A/weight 2");
        const auto copy_with = [&](const std::string& button) {
            REQUIRE(story.play("hover \"A/weight 2\"\nframes 2\nright_click \"A/weight 2\"\nframes 2\nclick " + button +
                               "\nframes 2\nexpect_no_item export/card") == "");
            return std::string(ImGui::GetClipboardText());
        };
        const std::string with_torch = copy_with("export/python");
        CHECK(contains(with_torch, "torch.softmax("));
        CHECK(!contains(with_torch, "numpy"));
        if (have("torch")) CHECK(run_clipboard() == doctest::Approx(weight).epsilon(1e-5));
        const std::string program = copy_with("export/python_numpy");
        CAPTURE(program);
        CHECK(contains(program, "He swung the bat"));
        CHECK(contains(program, in_python(fs::path("models") / "homonyms" / "model.safetensors")));
        CHECK(contains(program, "softmax("));
        if (have("numpy")) CHECK(run_clipboard() == doctest::Approx(weight).epsilon(1e-5));
    }
    SUBCASE("of the explained number") {
        REQUIRE(story.play("click \"B/weight 3\"\nframes 3\nkey Ctrl+k\nframes 3\ntype \"python numpy\"\nframes 3\nkey "
                           "Enter\nframes 3") == "");
        if (have("numpy")) CHECK(run_clipboard() == doctest::Approx(story.value("explain/value")).epsilon(1e-5));
    }
    SUBCASE("an altered model has none, because its file is not altered") {
        REQUIRE(story.play("click \"B/weight 3\"\nframes 2\nkey X\nframes 3") == "");
        story.settle();
        ImGui::SetClipboardText("before");
        REQUIRE(story.play("key Ctrl+k\nframes 3\ntype \"python numpy\"\nframes 3\nkey Enter\nframes 3") == "");
        CHECK(std::string(ImGui::GetClipboardText()) == "before");
    }
    SUBCASE("a model that was reset is not that of the file") {
        story.send(command::Reset{});
        REQUIRE(story.play("click \"B/weight 3\"\nframes 3\nkey Ctrl+k\nframes 3\ntype \"python numpy\"\nframes 3\nkey "
                           "Enter\nframes 3") == "");
        CHECK(contains(ImGui::GetClipboardText(), "Weights(\"model.safetensors\")  # "));
    }
    SUBCASE("further training must be saved first") {
        REQUIRE(story.play("click \"B/weight 3\"\nframes 2\nkey S\nframes 3") == "");
        story.settle();
        REQUIRE(story.play("key Ctrl+k\nframes 3\ntype \"python numpy\"\nframes 3\nkey Enter\nframes 3") == "");
        CHECK(contains(ImGui::GetClipboardText(), "Weights(\"model.safetensors\")  # "));
    }
}

TEST_CASE("story: the Python for a published model reads that model's own file, and runs as copied") {
    const TemporaryFolder folder;
    Story story;
    story.send(command::OpenModel{bert_folder(folder).string()});
    REQUIRE(
        story.play("key Escape\nclick view/Attention\nframes 3\nhover \"A/weight 2\"\nframes 2\nright_click \"A/weight "
                   "2\"\nframes 2\nclick export/python_numpy\nframes 2") == "");
    const std::string program = ImGui::GetClipboardText();
    CAPTURE(program);
    CHECK(contains(program, in_python(folder / "bert" / "model.safetensors")));
    CHECK(contains(program, "w[\"bert.encoder.layer.0.attention.self.query.weight\"]"));
    if (have("numpy")) CHECK(run_clipboard() == doctest::Approx(story.value("A/weight 2")).epsilon(1e-5));
}

TEST_CASE("story: Python is not copied for a number that has to be guessed") {
    Story story;
    REQUIRE(story.play("click view/Attention\nframes 3\nkey P\nframes 3") == "");
    ImGui::SetClipboardText("before");
    const auto& state = story.state();
    REQUIRE_FALSE(state.trail.empty());
    REQUIRE(story.play("key Ctrl+k\nframes 3\ntype \"python numpy\"\nframes 3\nkey Enter\nframes 3") == "");
    CHECK(std::string(ImGui::GetClipboardText()) == "before");
}

TEST_CASE("story: a sentence stays a comment in copied Python, whatever its characters") {
    Story story;
    story.send(command::Watch{0, "he swung the bat\rprint a foul\nimport os"});
    REQUIRE(story.play("key Escape\nclick view/Attention\nframes 3\nhover \"A/weight 2\"\nframes 2\nright_click "
                       "\"A/weight 2\"\nframes 2\nclick export/python_numpy\nframes 2") == "");
    const std::string program = ImGui::GetClipboardText();
    CAPTURE(program);
    REQUIRE(contains(program, "print a foul"));
    const std::size_t code = program.find("\nimport json");
    REQUIRE(code != std::string::npos);
    for (std::size_t at = 0; at < code; at = program.find_first_of("\r\n", at) + 1) CHECK(program[at] == '#');
}
