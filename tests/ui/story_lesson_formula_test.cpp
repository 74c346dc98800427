#include <fstream>
#include <string>
#include <vector>

#include "app/lessons/lesson_text.h"
#include "tests/core/temporary_folder.h"
#include "tests/ui/story.h"

using namespace glassformer;
using namespace glassformer::app;

namespace {

/// The pieces of text drawn in a frame with this lesson text.
std::vector<std::string> drawn_with(const std::string& text) {
    const TemporaryFolder folder;
    std::ofstream(folder / "mine.lesson") << "lesson: Mine\n\n== One\nA: a bat flew .\n\n" << text << "\n";
    Story story({.lessons = folder.path()});
    REQUIRE(story.play("lesson mine\nframes 6") == "");
    story.host.ui().items->keep_texts(true);
    story.frames(2);
    std::vector<std::string> drawn;
    for (const Items::DrawnText& piece : story.host.items().texts()) drawn.emplace_back(piece.text);
    return drawn;
}

bool has(const std::vector<std::string>& drawn, const std::string& piece) {
    return std::ranges::find(drawn, piece) != drawn.end();
}

}  // namespace

TEST_CASE("story: a lesson's text between dollar signs is set as a formula") {
    const std::vector<std::string> formula = drawn_with("The weight is $e^(s − max) / Σ$, with $W_Q$.");
    CHECK(has(formula, "s − max"));  // a superscript, without its brackets
    CHECK(has(formula, "Q"));        // a subscript
    CHECK_FALSE(has(formula, "$W_Q$."));
    // A single dollar sign is literal.
    CHECK(has(drawn_with("It costs 5$ or more."), "$"));
}

TEST_CASE("a formula in a lesson is as high as its line, and wraps only at its top-level spaces") {
    Story story;
    const Ui& ui = story.host.ui();
    story.host.begin_frame();
    const auto height = [&](const char* text, float width) {
        return lesson_text_height(ui, width, parse_live_text(text, 1), {});
    };
    const float line = height("x", 1000);
    CHECK(height("so $a^(b + c + d + e + f)$ is", 1000) == line);
    CHECK(height("$a + b$", 1) == 3 * line);
    CHECK(height("$a^(b + c)$", 1) == line);
    ImGui::End();
    ImGui::Render();
}

TEST_CASE("Chinese text of a lesson wraps between characters, and no line begins with a comma") {
    Story story;
    const Ui& ui = story.host.ui();
    story.host.begin_frame();
    const auto height = [&](const char* text, float width) {
        return lesson_text_height(ui, width, parse_live_text(text, 1), {});
    };
    const float line = height("x", 1000), wide = draw::text_size(ui, "看").x;
    CHECK(height("看看看看看看看看看看", 10.5f * wide) == line);
    CHECK(height("看看看看看看看看看看", 5.5f * wide) == 2 * line);
    CHECK(height("看看看看**看看看**看看看", 2.5f * wide) == 5 * line);  // bold characters have the same width
    CHECK(height("看看看，看看看", 3.2f * wide) == 3 * line);            // 看看 / 看，看 / 看看
    ImGui::End();
    ImGui::Render();
}
