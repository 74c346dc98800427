#include <algorithm>

#include "app/views/sentence_views.h"
#include "tests/ui/story.h"

using namespace glassformer;
using namespace glassformer::app;

TEST_CASE("story: in narrow cards nothing of these views is beyond their sides") {
    for (const StoryOptions& options : {StoryOptions{{1280, 720}, 1, true}, StoryOptions{{1280, 720}, 2, true}}) {
        Story story(options);
        if (options.scale > 1) REQUIRE(story.play("click panel/A\nframes 2") == "");
        for (const char* view : {"LayerNorm", "Q K V", "Positions"}) {
            CAPTURE(view);
            const auto at = std::ranges::find(sentence_views(), std::string_view(view), &SentenceView::name);
            REQUIRE(at != sentence_views().end());
            story.state().view = static_cast<int>(at - sentence_views().begin());
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
            CHECK(seen > 50);
        }
    }
}
