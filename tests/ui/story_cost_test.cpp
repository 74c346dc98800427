#include "app/views/training/cost_study.h"
#include "tests/ui/story.h"

using namespace glassformer;
using namespace glassformer::app;

TEST_CASE("cost: beyond what is measured attention grows with the square of the length, the others with the length") {
    const std::vector<CostPoint> points = {{100, 1, 2, 3, 0.5}, {200, 4, 4, 6, 1}};
    CHECK_FALSE(cost_at({}, 100));
    const auto between = cost_at(points, 141), at = cost_at(points, 200), beyond = cost_at(points, 800);
    CHECK(at->cost.attention == 4);
    CHECK(at->measured_range);
    CHECK(between->cost.attention == doctest::Approx(1.988).epsilon(0.01));
    CHECK_FALSE(beyond->measured_range);
    CHECK(beyond->cost.attention == 64);
    CHECK(beyond->cost.mlp == 16);
    CHECK(beyond->cost.recurrent == 24);
}

TEST_CASE("story: time and memory of a layer are measured here, and follow the number of words") {
    Story story;
    REQUIRE(story.play("click view/Training\nframes 2\nclick \"training/page/Cost\"\nframes 2") == "");
    REQUIRE(story.play("wait cost/measured timeout 120") == "");
    CHECK(story.value("cost/measured") == 2048);
    for (const char* part : {"attention", "mlp", "rnn", "pass", "writing"})
        CHECK(story.value(std::string("cost/") + part) > 0);
    // 512 words, 4 heads of float32
    CHECK(story.value("cost/pairs") == 512.0 * 512);
    CHECK(story.value("cost/memory") == 4.0 * 4 * 512 * 512);
    const double before = story.value("cost/attention");
    REQUIRE(story.play("drag cost/T 100 0\nframes 2") == "");
    CHECK(story.value("cost/pairs") > 1e8);
    CHECK(story.value("cost/attention") > before);
    // A wider layer has more heads; it is measured again.
    REQUIRE(story.play("click cost/width/128\nframes 2") == "");
    REQUIRE(story.play("wait cost/memory timeout 120") == "");
    CHECK(story.value("cost/memory") == 8 * 4 * story.value("cost/pairs"));
}
