// A window that draws only what changes shows the same in every frame as one that draws everything.
#include <epoxy/gl.h>

#include <algorithm>
#include <array>
#include <memory>
#include <string>
#include <vector>

#include "app/presenter/screen_tools.h"
#include "app/ui/heat_texture.h"
#include "app/ui/input.h"
#include "app/ui/opaque_fill.h"
#include "app/ui/picture_texture.h"
#include "app/window/frame_painter.h"
#include "core/base/rng.h"
#include "tests/ui/whole_model_story.h"

using namespace glassformer;
using namespace glassformer::app;

namespace {

float area(std::span<const ImVec4> boxes) {
    float sum = 0;
    for (const ImVec4& b : boxes) sum += (b.z - b.x) * (b.w - b.y);
    return sum;
}

/// A small window that draws only what changes. Each of its frames is also drawn in full and compared.
class ComparedWindow {
public:
    ComparedWindow() { host.draw_as_window(true); }

    bool shows_all(const std::function<void()>& input, const std::function<void(const Ui&)>& draw) {
        host.begin_frame(input);
        draw(host.ui());
        host.end_frame_and_draw();
        surface->present();
        const Image shown = surface->read();
        surface->bind_target();
        const ImVec4 back = ImGui::ColorConvertU32ToFloat4(host.ui().theme->background);
        glDisable(GL_SCISSOR_TEST);
        glClearColor(back.x, back.y, back.z, 1);
        glClear(GL_COLOR_BUFFER_BIT);
        whole_.paint(*ImGui::GetDrawData());
        return shown.rgba == surface->read().rgba;
    }
    /// The share of the window that the last frame drew.
    float drawn() const {
        const PixelSize size = surface->size();
        return area(host.painter().drawn()) / static_cast<float>(size.width * size.height);
    }

    std::unique_ptr<Offscreen> surface = open_offscreen({220, 170});
    ImGuiHost host{*surface};

private:
    FramePainter whole_;
};

PngPicture noise(Rng& rng, int side) {
    PngPicture picture{side, side, {}};
    for (int i = 0; i < 4 * side * side; ++i)
        picture.rgba.push_back(i % 4 == 3 ? 255 : static_cast<std::uint8_t>(rng.below(256)));
    return picture;
}

/// A random scene of everything that a frame can contain, with random places, numbers and colours. Some part of it, or
/// nothing, changes from frame to frame.
class AnyScene {
public:
    explicit AnyScene(std::uint64_t seed) : rng_(seed) {
        for (std::size_t i = 0; i < things_.size(); ++i) {
            things_[i].kind = static_cast<Kind>(i % static_cast<std::size_t>(Kind::count));
            for (int part = 0; part < 5; ++part) change(things_[i], part);
        }
    }

    void change(ComparedWindow& window) {
        if (chance(4)) return;
        for (std::uint64_t n = rng_.below(3) + 1; n > 0; --n)
            change(things_[rng_.below(things_.size())], static_cast<int>(rng_.below(5)));
        if (chance(3)) mouse_ = {number(-10, 230), number(-10, 180)};
        if (chance(tools_.frozen() ? 8 : 60)) tools_.freeze(!tools_.frozen());
        if (chance(40)) alone_ = !alone_;
        if (chance(tools_.magnifier ? 8 : 60)) tools_.magnifier = !tools_.magnifier;
        if (chance(tools_.spotlight ? 8 : 60)) tools_.spotlight = !tools_.spotlight;
        if (chance(tools_.blank ? 4 : 200)) tools_.blank = !tools_.blank;
        if (chance(150)) window.host.set_theme(chance(2) ? ThemeKind::dark : ThemeKind::light);
        if (chance(600)) window.host.set_scale(chance(2) ? 1.0f : 1.25f);
        if (chance(300))
            window.surface->resize({180 + static_cast<int>(rng_.below(60)), 140 + static_cast<int>(rng_.below(60))});
    }
    void point() const { script_mouse(mouse_, false, false); }

    void draw(const Ui& ui) {
        for (Thing& thing : things_) {
            if (!thing.there) continue;
            if (thing.clipped)
                ui.list()->PushClipRect({thing.clip.x, thing.clip.y}, {thing.clip.z, thing.clip.w}, true);
            draw(ui, thing);
            if (thing.clipped) ui.list()->PopClipRect();
        }
        const ImVec2 size = ImGui::GetIO().DisplaySize;
        tools_.draw(ui, {{0, 0}, size}, alone_);
        frozen_ += tools_.frozen(), magnified_ += tools_.magnifier && !tools_.covers();
    }

    int frozen() const { return frozen_; }
    int magnified() const { return magnified_; }

private:
    using Values = std::shared_ptr<const std::vector<float>>;
    enum class Kind { box, fill, line, word, other_script, heat, new_heat, picture, changed_picture, count };
    struct Thing {
        Kind kind{};
        bool there = true, clipped = false;
        ImVec2 at{}, size{};
        ImVec4 clip{};
        ImU32 colour = 0;
        int number = 0;
        std::unique_ptr<PictureTexture> texture = {};
    };

    bool chance(std::uint64_t of) { return rng_.below(of) == 0; }
    float number(float from, float to) { return from + (to - from) * static_cast<float>(rng_.uniform()); }

    Values any_values() {
        auto values = std::make_shared<std::vector<float>>(16);
        for (float& value : *values) value = number(0, 1);
        return values;
    }

    void change(Thing& thing, int part) {
        switch (part) {
            case 0:
                thing.there = chance(2);
                return;
            case 1:
                thing.at = {number(-30, 200), number(-30, 150)};
                if (chance(2)) thing.at = {std::round(thing.at.x), std::round(thing.at.y)};
                return;
            case 2:
                thing.size = {number(2, 90), number(2, 90)};
                return;
            case 3:
                thing.clipped = chance(3);
                thing.clip = {number(0, 100), number(0, 80), number(100, 220), number(80, 170)};
                thing.colour = IM_COL32(rng_.below(256), rng_.below(256), rng_.below(256), chance(2) ? 255 : 120);
                return;
            default:
                thing.number = static_cast<int>(rng_.below(4));
                if (thing.kind == Kind::picture) {  // OpenGL reuses the old one's name for the new one
                    thing.texture.reset();
                    thing.texture = std::make_unique<PictureTexture>(noise(rng_, 8));
                } else if (thing.kind == Kind::changed_picture) {
                    const PngPicture picture = noise(rng_, 8);
                    if (!thing.texture) thing.texture = std::make_unique<PictureTexture>(picture);
                    glBindTexture(GL_TEXTURE_2D, thing.texture->name());
                    glTexSubImage2D(GL_TEXTURE_2D, 0, 0, 0, 8, 8, GL_RGBA, GL_UNSIGNED_BYTE, picture.rgba.data());
                    glGenerateMipmap(GL_TEXTURE_2D);
                }
        }
    }

    void draw(const Ui& ui, const Thing& thing) {
        static constexpr std::array<const char*, 4> words{"bat", "foul", "he noticed", "0.61"},
            others{"\u05E9\u05DC\u05D5\u05DD", "\u0645\u0631\u062D\u0628\u0627", "\u4F60\u597D", "a\u0301\u0323"};
        const ImVec2 min = thing.at, max{min.x + thing.size.x, min.y + thing.size.y};
        const std::size_t which = thing.number;
        ImDrawList& list = *ui.list();
        switch (thing.kind) {
            case Kind::box:
                return list.AddRectFilled(min, max, thing.colour, static_cast<float>(2 * thing.number));
            case Kind::fill:
                return draw::opaque_fill(ui, {min, max}, thing.colour | IM_COL32_A_MASK);
            case Kind::line:
                return list.AddCircle(min, thing.size.x, thing.colour, 0, 1 + 0.7f * static_cast<float>(which));
            case Kind::word:
                return void(draw::text(ui, min, words[which], {FontRole::body, thing.colour | IM_COL32_A_MASK}));
            case Kind::other_script:
                return void(draw::text(ui, min, others[which], {FontRole::body, thing.colour | IM_COL32_A_MASK}));
            case Kind::heat:
            case Kind::new_heat: {
                const bool fresh = thing.kind == Kind::new_heat;  // new in every frame
                const Values values = fresh ? any_values() : matrices_[which];
                const HeatMatrix matrix{4, 4, *values, 4, HeatColours::attention, 1, {}, {values, 1, 0}};
                return draw_heat(ui, matrix, {min, max}, {{thing.size.x / 4, thing.size.y / 4}, 0, thing.number, -1});
            }
            default:
                if (thing.texture) list.AddImage(thing.texture->id(), min, max);
        }
    }

    Rng rng_;
    std::array<Thing, 18> things_;
    std::array<Values, 4> matrices_{any_values(), any_values(), any_values(), any_values()};
    ScreenTools tools_;
    ImVec2 mouse_{0, 0};
    bool alone_ = false;
    int frozen_ = 0, magnified_ = 0;
};

}  // namespace

TEST_CASE("10,000 random frames look the same whether only the changes are drawn or everything") {
    int parts = 0, nothing = 0, frozen = 0, magnified = 0;
    for (std::uint64_t seed = 1; seed <= 4; ++seed) {
        ComparedWindow window;
        if (seed == 4) window.host.ui().heat->without_shader();
        AnyScene scene(seed);
        for (int i = 0; i < 2500; ++i) {
            scene.change(window);
            CAPTURE(seed);
            CAPTURE(i);
            REQUIRE(window.shows_all([&] { scene.point(); }, [&](const Ui& ui) { scene.draw(ui); }));
            parts += window.drawn() > 0 && window.drawn() < 1, nothing += window.drawn() == 0;
        }
        frozen += scene.frozen(), magnified += scene.magnified();
    }
    CHECK(parts > 1000);
    CHECK(frozen > 500);
    CHECK(magnified > 500);
    MESSAGE(parts << " frames drawn in part, " << nothing << " not at all, " << frozen << " frozen, " << magnified
                  << " magnified");
}

namespace {

/// The program in a window that draws only changes and in one that draws every frame in full; both get the same input.
struct Both {
    Story changes, whole;

    explicit Both(const StoryOptions& options = {}) : changes(options), whole(options) {
        changes.host.draw_as_window(true);
        frames(4);
    }
    void each(const std::function<void(Story&)>& what) { what(changes), what(whole); }
    void frame(const std::function<void()>& input = {}) {
        each([&](Story& story) {
            story.host.begin_frame(input);
            story.app.draw(story.host);
            story.host.end_frame_and_draw();
            story.surface->present();
        });
    }
    void frames(int count) {
        for (int i = 0; i < count; ++i) frame();
    }
    bool look_the_same() { return changes.surface->read().rgba == whole.surface->read().rgba; }
    float drawn() const {
        const PixelSize size = changes.surface->size();
        return area(changes.host.painter().drawn()) / static_cast<float>(size.width * size.height);
    }
    void press(Key key) {
        for (const bool down : {true, false, false, false}) {
            frame([&] { script_key(key, down); });
            CHECK(look_the_same());
        }
    }
    void move(ImVec2 to) {
        for (int i = 0; i < 3; ++i) {
            frame([&] { script_mouse(to, false, false); });
            CHECK(look_the_same());
        }
    }
};

ImVec2 middle(const Story& story, const std::string& label) {
    const Item* at = story.find(label);
    REQUIRE(at);
    return at->centre();
}

}  // namespace

TEST_CASE("story: only the changes are drawn, and the window looks as if everything were") {
    Both both;
    both.each([](Story& story) { story.state().window.panels = {true, true, true}; });
    both.frames(4);
    CHECK(both.look_the_same());
    CHECK(both.drawn() == 0);  // nothing moves
    float most = 0;
    for (const char* item : {"A/token 1", "A/token 3", "train", "reset", "A/token 6"}) {
        CAPTURE(item);
        both.move(middle(both.changes, item));
        most = std::max(most, both.drawn());
    }
    CHECK(most < 0.7f);
    const auto both_do = [&](const std::function<void(Story&)>& what) {
        both.each(what);
        for (int i = 0; i < 4; ++i) {
            both.frame();
            CHECK(both.look_the_same());
        }
    };
    both_do([](Story& story) { story.state().token[0] = 5; });
    both_do([](Story& story) { story.state().head = 3; });
    both_do([](Story& story) { story.state().window.panels = {true, false, true}; });
    both_do([](Story& story) {
        story.state().theme = ThemeKind::dark;
        story.host.set_theme(ThemeKind::dark);
    });
    both_do([](Story& story) { story.surface->resize({1000, 640}); });
    both_do([](Story& story) { story.state().view = view_index("Whole model"); });
}

TEST_CASE("story: nothing of a frozen picture or of the magnifier is left on screen after it is turned off") {
    Both both({.size = {1280, 720}});
    both.press(Key::f5);
    both.press(Key::d2);
    both.press(Key::f);
    REQUIRE(both.changes.shows("screen/frozen"));
    both.press(Key::d3);
    both.press(Key::f);
    REQUIRE_FALSE(both.changes.shows("screen/frozen"));
    both.move({400, 300});
    both.press(Key::page_down);
    both.press(Key::f);
    both.press(Key::d2);
    both.press(Key::escape);
    REQUIRE_FALSE(both.changes.shows("screen/frozen"));
    both.press(Key::z);
    both.move({500, 400});
    both.move({700, 350});
    REQUIRE(both.changes.shows("screen/magnifier"));
    both.press(Key::z);
    REQUIRE_FALSE(both.changes.shows("screen/magnifier"));
    both.move({300, 500});
}

TEST_CASE("story: moving the camera over the whole model draws complete frames") {
    Both both;
    both.each([](Story& story) { open_canvas(story); });
    const ImVec2 beside = middle(both.changes, "whole/A/lanes");
    both.move(beside);
    for (const float lines : {1.0f, 1.0f, 2.0f, -1.0f}) {
        both.frame([&] {
            script_mouse(beside, false, false);
            script_wheel(lines);
        });
        CHECK(both.look_the_same());
    }
    for (int i = 0; i < 12; ++i) {
        both.frame([&] { script_mouse({beside.x + 9.0f * static_cast<float>(i), beside.y - 40}, i < 11, false); });
        CHECK(both.look_the_same());
    }
    both.frames(3);
    CHECK(both.look_the_same());
    CHECK_FALSE(both.changes.host.waits());
}
