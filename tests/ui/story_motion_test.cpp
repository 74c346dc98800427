#include <algorithm>
#include <cmath>

#include "app/common/stage_motion.h"
#include "tests/ui/story.h"

using namespace glassformer;
using namespace glassformer::app;

namespace {

void let_move(Story& story) { story.host.ui().reduce_motion = story.state().reduce_motion = false; }

bool inside(const Item& item, ImVec2 at) {
    return at.x >= item.min.x && at.x <= item.max.x && at.y >= item.min.y && at.y <= item.max.y;
}

/// The number of ghosts that start at items whose label begins with `label`.
int ghosts_from(const Story& story, const StageMotion& motion, std::string_view label) {
    return static_cast<int>(std::ranges::count_if(motion.ghosts(), [&](const StageMotion::Ghost& ghost) {
        return std::ranges::any_of(story.host.items().all(), [&](const Item& item) {
            return item.label.starts_with(label) && inside(item, ghost.from);
        });
    }));
}

}  // namespace

TEST_CASE("story: weights and values glide into the mix z that they add up to") {
    Story story;
    CHECK(story.play("click \"map/head 0 3\"\nkey a\nclick \"stage softmax\"") == "");
    let_move(story);
    story.frames(3);
    const StageMotion& motion = story.state().own<StageMotion>();
    CHECK_FALSE(motion.moving());
    CHECK(story.play("key Space") == "");
    REQUIRE(motion.moving());
    CHECK(story.app.moving());
    CHECK(motion.ghosts().size() > 4);
    CHECK(motion.ghosts().size() <= StageMotion::most_ghosts);
    CHECK(ghosts_from(story, motion, "A/weight ") > 2);
    CHECK(ghosts_from(story, motion, "A/v ") > 2);
    for (const StageMotion::Ghost& ghost : motion.ghosts()) CHECK(inside(*story.find("A/z"), ghost.to));
    CHECK(StageMotion::seconds <= 0.4);
    story.frames(static_cast<int>(std::ceil(StageMotion::seconds * 60)) + 2);
    CHECK_FALSE(motion.moving());
    CHECK_FALSE(story.app.moving());
}

TEST_CASE("story: a head's output glides from A's card to the explanation, passing behind B's card") {
    Story story;
    CHECK(story.play("click \"map/head 0 3\"\nkey a\nclick \"stage Σ a·v\"") == "");
    let_move(story);
    story.frames(3);
    const StageMotion& motion = story.state().own<StageMotion>();
    CHECK(story.play("key Space") == "");
    REQUIRE(motion.moving());
    CHECK(ghosts_from(story, motion, "A/z") > 2);
    const Item *first = story.find("B/token 0"), *last = story.find("B/type"), *value = story.find("explain/value");
    REQUIRE(first);
    REQUIRE(last);
    REQUIRE(value);
    for (const StageMotion::Ghost& ghost : motion.ghosts()) {
        CHECK(inside(*value, ghost.to));
        CHECK(ghost.from_panel.max.x <= first->min.x);
        CHECK(ghost.to_panel.min.x >= last->max.x);
    }
}

TEST_CASE("story: a key ends the motion, the next step starts its own, and reduced motion disables it") {
    Story story;
    CHECK(story.play("click \"map/head 0 3\"\nkey a\nclick \"stage V\"") == "");
    let_move(story);
    story.frames(3);
    const StageMotion& motion = story.state().own<StageMotion>();
    CHECK(story.play("key Space") == "");  // q · k
    REQUIRE(motion.moving());
    CHECK(ghosts_from(story, motion, "A/q ") > 2);
    CHECK(ghosts_from(story, motion, "A/k ") > 2);
    const ImVec2 first = motion.ghosts().front().to;
    CHECK(story.play("key F9") == "");  // has no other meaning
    CHECK_FALSE(motion.moving());
    CHECK(story.play("click \"stage softmax\"\nkey Space") == "");
    REQUIRE(motion.moving());
    CHECK(motion.ghosts().front().to.y != first.y);
    story.state().reduce_motion = true;
    story.frame();
    CHECK_FALSE(motion.moving());
    CHECK(story.play("key PageUp\nkey Space") == "");
    CHECK_FALSE(motion.moving());
}
