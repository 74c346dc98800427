// While the camera of the whole model moves, the picture that was drawn last stands for a new one where drawing is
// slow. Nothing but the picture may differ: items, numbers, what the mouse does.
#include "app/ui/input.h"
#include "tests/ui/whole_model_story.h"

using namespace glassformer;
using namespace glassformer::app;

namespace {

constexpr int frames_of_rest = 8;  // more than a tenth of a second

/// A frame that is drawn, as a window's are: pictures are kept of these alone.
void drawn_frame(Story& story, const std::function<void()>& input = {}) {
    story.host.begin_frame(input);
    story.app.draw(story.host);
    story.host.end_frame_and_draw();
    story.surface->present();
}

/// A canvas that keeps its pictures, and the same one that draws every frame; both do the same.
struct Both {
    Story keeps, draws;

    Both() {
        for (Story* story : {&keeps, &draws}) open_canvas(*story);
        keeps.host.keep_pictures(KeptPictures::always);
        for (int i = 0; i < frames_of_rest; ++i) frame();
    }
    void frame(const std::function<void()>& input = {}) {
        for (Story* story : {&keeps, &draws}) drawn_frame(*story, input);
    }
    int kept() const { return keeps.host.painter().kept_shown(); }
    bool look_the_same() { return keeps.surface->read().rgba == draws.surface->read().rgba; }
    /// The share of the pixels of both pictures that are the same.
    double same_share() {
        const Image a = keeps.surface->read(), b = draws.surface->read();
        std::size_t same = 0;
        for (std::size_t i = 0; i < a.rgba.size(); i += 4) same += std::equal(&a.rgba[i], &a.rgba[i] + 3, &b.rgba[i]);
        return static_cast<double>(same) / static_cast<double>(a.rgba.size() / 4);
    }
};

ImVec2 middle(const Story& story, const std::string& label) {
    const Item* at = story.find(label);
    REQUIRE(at);
    return {(at->min.x + at->max.x) / 2, (at->min.y + at->max.y) / 2};
}

/// A place where nothing is pointed at.
ImVec2 beside(const Story& story) { return middle(story, "whole/A/lanes"); }

void turn_wheel(Both& both, ImVec2 mouse, float lines) {
    both.frame([&] { script_mouse(mouse, false, false); });
    both.frame([&] {
        script_mouse(mouse, false, false);
        script_wheel(lines);
    });
    both.frame([&] { script_mouse(mouse, false, false); });
}

}  // namespace

TEST_CASE("story: while the camera moves the kept picture is shown, and once it rests the picture is drawn exactly") {
    Both both;
    CHECK(both.kept() == 0);
    CHECK(both.look_the_same());
    const ImVec2 mouse = beside(both.keeps);
    turn_wheel(both, mouse, 1);
    CHECK(both.kept() == 1);
    CHECK(both.keeps.host.waits());
    CHECK_FALSE(both.look_the_same());  // it is scaled
    for (int i = 0; i < frames_of_rest; ++i) both.frame();
    CHECK(both.kept() == 0);
    CHECK_FALSE(both.keeps.host.waits());
    CHECK(both.look_the_same());
    turn_wheel(both, mouse, 6);  // too near for the text of the picture that is kept
    CHECK(both.kept() == 0);
    CHECK(both.look_the_same());
}

TEST_CASE("story: a page that is dragged is shown whole in every frame, and its text stays sharp") {
    Both both;
    turn_wheel(both, beside(both.keeps), 4);
    for (int i = 0; i < frames_of_rest; ++i) both.frame();
    REQUIRE(level(both.keeps) == CanvasLevel::model);
    const ImVec2 from = beside(both.keeps);
    both.frame([&] { script_mouse(from, false, false); });
    int shown = 0;
    for (int i = 0; i < 12; ++i) {
        both.frame([&] { script_mouse({from.x + 9.0f * static_cast<float>(i), from.y - 40}, true, false); });
        shown += both.kept();
        CAPTURE(i);
        CHECK(both.same_share() > 0.99);  // but for what stands at an edge
    }
    CHECK(shown >= 9);
    both.frame([&] { script_mouse({from.x + 99, from.y - 40}, false, false); });
    for (int i = 0; i < frames_of_rest; ++i) both.frame();
    CHECK(both.kept() == 0);
    CHECK(both.look_the_same());
}

TEST_CASE(
    "story: in the midst of a motion numbers, the mouse and a click are right, and what changes is drawn at once") {
    Both both;
    const auto move = [&] {
        for (int i = 0; i < 2; ++i)  // the first picture of a motion may have to be drawn
            turn_wheel(both, beside(both.keeps), canvas(both.keeps).camera.shot().zoom > 1.3f ? -1 : 1);
        REQUIRE(both.kept() == 1);
    };
    move();
    const Item *kept = both.keeps.find("whole/A/embedding 1"), *drawn = both.draws.find("whole/A/embedding 1");
    REQUIRE(kept);
    REQUIRE(drawn);
    CHECK(kept->min.x == drawn->min.x);
    CHECK(kept->max.y == drawn->max.y);
    CHECK(kept->value == drawn->value);

    // The number under the mouse, where it stands now.
    ImVec2 tile = middle(both.keeps, "whole/A/mlp 0 1");
    for (int i = 0; i < 2; ++i) both.frame([&] { script_mouse(tile, false, false); });
    CHECK(both.kept() == 0);  // it is lit
    CHECK(both.look_the_same());
    REQUIRE(both.keeps.state().hovered.cell.node >= 0);
    CHECK(both.keeps.state().hovered == both.draws.state().hovered);

    move();
    tile = middle(both.keeps, "whole/A/mlp 0 1");
    for (const bool down : {false, true, true, false}) both.frame([&] { script_mouse(tile, down, false); });
    both.frame();
    const TracedCell explained = both.keeps.state().trail.back();
    CHECK(explained == both.draws.state().trail.back());
    CHECK(explained.cell.node == both.keeps.shown_trace(0).graph().at(block(0, "mlp.hook_post")));
    CHECK(both.look_the_same());

    const auto change = [&](const std::string& what, const std::function<void(Story&)>& in) {
        CAPTURE(what);
        move();
        in(both.keeps), in(both.draws);
        both.frame();
        CHECK(both.kept() == 0);
        both.frame();
        CHECK(both.look_the_same());
        for (int i = 0; i < frames_of_rest; ++i) both.frame();
    };
    change("theme", [](Story& story) {
        story.state().theme = ThemeKind::dark;
        story.host.set_theme(ThemeKind::dark);
    });
    change("word", [](Story& story) { story.state().token[0] = 5; });
    change("head", [](Story& story) { story.state().head = story.state().head == 2 ? 1 : 2; });
    change("sentence", [](Story& story) {
        story.session.send(command::Watch{0, "she saw the bat ."});
        story.settle();
    });
}

TEST_CASE("story: only what changes is drawn, and the window looks as if all of it were") {
    Both both;
    for (Story* story : {&both.keeps, &both.draws}) {
        story->state().view = view_index("Attention");
        story->state().own<PanelsOpen>() = {true, true, true};
    }
    const auto share_drawn = [&] {
        float drawn = 0;
        for (const ImVec4& box : both.keeps.host.painter().drawn()) drawn += (box.z - box.x) * (box.w - box.y);
        const PixelSize size = both.keeps.surface->size();
        return drawn / static_cast<float>(size.width * size.height);
    };
    for (int i = 0; i < frames_of_rest; ++i) both.frame();
    CHECK(both.look_the_same());
    CHECK(share_drawn() == 0);  // nothing moves
    float most = 0;
    const auto point = [&](const std::string& item) {
        CAPTURE(item);
        const ImVec2 at = middle(both.keeps, item);
        for (int i = 0; i < 3; ++i) {
            both.frame([&] { script_mouse(at, false, false); });
            most = std::max(most, share_drawn());
            CHECK(both.look_the_same());
        }
    };
    for (const char* item : {"A/token 1", "A/token 3", "train", "reset", "A/token 6"}) point(item);
    CHECK(most > 0);
    CHECK(most < 0.7f);
    const auto both_do = [&](const std::function<void(Story&)>& what) {
        what(both.keeps), what(both.draws);
        for (int i = 0; i < 4; ++i) {
            both.frame();
            CHECK(both.look_the_same());
        }
    };
    both_do([](Story& story) { story.state().token[0] = 5; });
    both_do([](Story& story) { story.state().head = 3; });
    both_do([](Story& story) { story.state().own<PanelsOpen>() = {true, false, true}; });
    both_do([](Story& story) {
        story.state().theme = ThemeKind::dark;
        story.host.set_theme(ThemeKind::dark);
    });
    both_do([](Story& story) { story.surface->resize({1000, 640}); });
    both_do([](Story& story) { story.state().view = view_index("Whole model"); });
}

TEST_CASE("story: a picture in memory is drawn anew in every frame") {
    Story story;
    open_canvas(story);
    const ImVec2 mouse = beside(story);
    for (int i = 0; i < 4; ++i)
        drawn_frame(story, [&] {
            script_mouse(mouse, false, false);
            script_wheel(1);
        });
    CHECK(story.host.painter().kept_shown() == 0);
    CHECK_FALSE(story.host.waits());
}
