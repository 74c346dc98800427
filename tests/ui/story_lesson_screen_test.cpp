// Whether the shipped lessons' texts are true of the screen, where `lesson check` cannot tell.
#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <filesystem>
#include <optional>
#include <set>
#include <string>

#include "app/common/head_summaries.h"
#include "app/lessons/lesson_file.h"
#include "tests/ui/story.h"

using namespace glassformer;
using namespace glassformer::app;

namespace {

/// The number that a comparison compares with; none if it is a live one, a word, or tested for equality.
std::optional<double> threshold_of(const Condition::Comparison& c) {
    if (c.sign.find_first_of("<>") == std::string::npos || c.right.pieces.size() != 1 || c.right.pieces[0].live)
        return {};
    const std::string& text = c.right.pieces[0].text;
    char* end = nullptr;
    const double number = std::strtod(text.c_str(), &end);
    return *end == '\0' ? std::optional(number) : std::nullopt;
}

bool holds_at(double x, const Condition& condition) {
    return std::ranges::all_of(condition.all, [&](const Condition::Comparison& c) {
        const double limit = threshold_of(c).value();
        return c.sign == "<" ? x < limit : c.sign == "<=" ? x <= limit : c.sign == ">" ? x > limit : x >= limit;
    });
}

}  // namespace

TEST_CASE("the choices of a shipped question about the size of one number neither overlap nor leave a gap") {
    namespace fs = std::filesystem;
    int asked = 0;
    for (const fs::directory_entry& entry : fs::directory_iterator(GLASSFORMER_SOURCE_DIR "/assets/lessons")) {
        if (entry.path().extension() != ".lesson") continue;
        for (const LessonStep& step : load_lesson(entry.path()).steps) {
            if (!step.question) continue;
            std::set<std::string> numbers;
            std::set<double> thresholds;
            bool plain = !step.question->choices.empty();
            for (const Choice& choice : step.question->choices)
                for (const Condition::Comparison& c : choice.when ? choice.when->all : Condition().all) {
                    const std::optional<double> limit = threshold_of(c);
                    plain = plain && limit && c.left.pieces.size() == 1 && c.left.pieces[0].live;
                    if (!plain) break;
                    numbers.insert(c.left.pieces[0].live->source);
                    thresholds.insert(*limit);
                }
            if (!plain || numbers.size() != 1) continue;
            ++asked;
            CAPTURE(entry.path().filename().string());
            CAPTURE(step.title);
            for (const double limit : thresholds)
                for (const double x : {limit - 1e-6, limit, limit + 1e-6}) {
                    if (std::abs(limit) >= 1000) continue;  // tells −∞ from every score
                    CAPTURE(x);
                    CHECK(std::ranges::count_if(step.question->choices, [&](const Choice& choice) {
                              return choice.when && holds_at(x, *choice.when);
                          }) == 1);
                }
        }
    }
    CHECK(asked > 40);
}

TEST_CASE("story: Space leads from the score to softmax where lesson 4 says so") {
    Story story({.size = {1366, 768}});
    REQUIRE(story.play("lesson 4_scale_mask_softmax 9\nframes 8\nexpect explain/place ~ \"query · key\"") == "");
    CHECK(story.play("key Space\nframes 4\nexpect explain/place ~ \"√d\"") == "");
    CHECK(story.play("key Space\nframes 4\nexpect explain/place ~ mask") == "");
    CHECK(story.play("key Space\nframes 4\nkey Space\nframes 4\nexpect explain/place ~ softmax") == "");
    CHECK(story.play("click \"A/token 1\"\nframes 4\nclick \"stage q·k\"\nframes 4\n"
                     "expect explain/place ~ \"query · key\"") == "");
}

TEST_CASE("story: in lesson 11, distance explains the previous-word head, but no head that copies") {
    Story story({.size = {1366, 768}});
    REQUIRE(story.play("lesson 11_against_the_others 6\nframes 8\nkey 2\nwait lesson/scene == 1\nframes 8") == "");
    const Trace& trace = story.shown_trace(0);
    CHECK(summarize_head(trace, story.state().layer, story.state().head).toeplitz.value() > 0.7);
    for (int head = 0; head < 4; ++head) CHECK(summarize_head(trace, 1, head).toeplitz.value() < 0.3);
}

TEST_CASE("story: where lesson 13 says that ribbons cross, they are on screen") {
    Story story({.size = {1366, 768}});
    const auto visible = [&] { return story.shows("flow/A key 0") && story.shows("flow/A query 0"); };
    REQUIRE(story.play("lesson 13_encoder_decoder 7\nframes 8\nkey 1\nwait lesson/scene == 1\nframes 8") == "");
    CHECK(visible());
    REQUIRE(story.play("lesson 13_encoder_decoder 11\nframes 8") == "");
    CHECK(visible());
    REQUIRE(story.play("lesson 13_encoder_decoder 12\nframes 8") == "");
    CHECK_FALSE(visible());
}
