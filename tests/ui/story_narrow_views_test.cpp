#include <algorithm>

#include "app/common/heat_map.h"
#include "app/views/registry.h"
#include "tests/ui/story.h"

using namespace glassformer;
using namespace glassformer::app;

TEST_CASE("story: in narrow cards these views do not extend beyond the card") {
    for (const StoryOptions& options : {StoryOptions{{1280, 720}, 1, true}, StoryOptions{{1280, 720}, 2, true}}) {
        Story story(options);
        if (options.scale > 1) REQUIRE(story.play("click panel/A\nframes 2") == "");
        for (const std::string_view view : {"LayerNorm", "Q K V", "Positions"}) {
            CAPTURE(view);
            const auto at = std::ranges::find(all_views(), view, &app::View::name);
            REQUIRE(at != all_views().end());
            story.state().view = static_cast<int>(at - all_views().begin());
            story.frames(3);
            const Item* left = story.find("A/token 0");
            const Item* other = story.find("B/token 0");
            REQUIRE(left);
            const float right = other ? other->min.x : static_cast<float>(options.size.width);
            Differences differences;
            int seen = 0;
            for (const Item& item : story.host.items().all()) {
                if (!item.label.starts_with("A/")) continue;
                ++seen;
                if (item.min.x < left->min.x - 24 || item.max.x > right) differences.add(std::string(item.label));
            }
            CHECK(differences.report() == "");
            if (view != "Q K V") {
                CHECK(seen > 50);
                continue;
            }
            // The words are drawn only once if the three matrices are in one row.
            for (const std::string part : {"A/q title", "A/q matrix", "A/q word 0", "A/q word 8", "A/k title",
                                           "A/k matrix", "A/v title", "A/v matrix"}) {
                CAPTURE(part);
                CHECK(story.find(part));
            }
        }
    }
}

TEST_CASE("story: the row of words below an explanation's chart is fully visible, or hidden") {
    for (const StoryOptions& options : {StoryOptions{{1280, 720}, 0.75f}, StoryOptions{{1600, 1000}, 1},
                                        StoryOptions{{1920, 1080}, 1}, StoryOptions{{3840, 2160}, 2}}) {
        Story story(options);
        const Ui& ui = story.host.ui();
        const Item *word = story.find("explain/word 0"), *check = story.find("explain/recomputed");
        REQUIRE(word);
        REQUIRE(check);
        const float heading = word->min.y - ui.line(FontRole::small) - ui.px(4), foot = check->min.y - ui.px(6);
        CAPTURE(options.size.width);
        CHECK((word->max.y <= foot + 1 || heading >= foot - 1));
    }
}

TEST_CASE("story: if the tabs are a list, a script can still click a view, and an unknown view fails") {
    Story story({{1280, 800}, 1});
    REQUIRE(story.play("expect_no_item view/Positions") == "");
    CHECK(story.play("click view/Positions\nframes 2") == "");
    CHECK(chosen_view(story.state()).name == "Positions");
    CHECK(contains(story.play("click view/Nowhere"), "there is no item \"view/Nowhere\" on screen"));
}

TEST_CASE("labels of narrow columns do not overlap") {
    Story story;
    const Ui& ui = story.host.ui();
    const float line = ui.line(FontRole::small);
    for (const float pitch : {2.0f, 6.0f, 10.0f, 14.0f, 40.0f}) {
        CAPTURE(pitch);
        const int every = ColumnLabels{pitch, 0}.every(ui);
        CHECK(static_cast<float>(every) * pitch >= 0.7f * line);
        CHECK((every == 1 || static_cast<float>(every - 1) * pitch < 0.7f * line));
    }
}

TEST_CASE("story: the help shows all keys without scrolling if the window has room") {
    for (const StoryOptions& options : {StoryOptions{{1600, 1000}, 1}, StoryOptions{{3840, 2160}, 2}}) {
        Story story(options);
        CHECK(story.play("key F1\nframes 4") == "");
        const Item *card = story.find("help/card"), *last = story.find("help/last key");
        REQUIRE(card);
        REQUIRE(last);
        CHECK(last->max.y <= card->max.y);
        CHECK(last->max.y >= card->max.y - story.host.ui().px(40));
    }
}
