// What an audience can read, measured in the pixels of the stage: the height of the letters, and the contrast of their
// colour with the background.
#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <iostream>
#include <optional>
#include <set>
#include <string>
#include <unordered_map>
#include <vector>

#include "app/export/drawing.h"
#include "core/text/utf8.h"
#include "tests/ui/story.h"

using namespace glassformer;
using namespace glassformer::app;

namespace {

struct Rgb {
    double r = 0, g = 0, b = 0;
};

Rgb at(const Image& image, int x, int y) {
    const auto from =
        4 * (static_cast<std::size_t>(y) * static_cast<std::size_t>(image.width) + static_cast<std::size_t>(x));
    return {image.rgba[from] / 255.0, image.rgba[from + 1] / 255.0, image.rgba[from + 2] / 255.0};
}
std::uint32_t key(Rgb c) {
    const auto byte = [](double v) { return static_cast<std::uint32_t>(std::lround(v * 255)); };
    return byte(c.r) << 16 | byte(c.g) << 8 | byte(c.b);
}
double apart(Rgb a, Rgb b) { return std::abs(a.r - b.r) + std::abs(a.g - b.g) + std::abs(a.b - b.b); }

/// https://www.w3.org/TR/WCAG21/#dfn-contrast-ratio
double luminance(Rgb c) {
    const auto linear = [](double v) { return v <= 0.04045 ? v / 12.92 : std::pow((v + 0.055) / 1.055, 2.4); };
    return 0.2126 * linear(c.r) + 0.7152 * linear(c.g) + 0.0722 * linear(c.b);
}
double contrast(Rgb a, Rgb b) {
    const double x = luminance(a), y = luminance(b);
    return (std::max(x, y) + 0.05) / (std::min(x, y) + 0.05);
}

/// A text on the stage, measured in its pixels.
struct Measured {
    std::string text;
    double size = 0;      // of the font, scaled to a screen of 1080 rows
    double contrast = 0;  // of its darkest (or lightest) pixels with the background
    double drawn = 0;     // of the colour it was drawn in with that background
    int ink = 0;          // rows covered by its letters
};

/// A fortieth of 1080 rows; a line of text is rounded to whole pixels.
constexpr double least_size = 1080 / 40.0 - 0.5;

/// The most frequent colour in a box, and the pixel colour that is closest to the one the text was drawn in.
std::optional<Measured> measure(const Image& image, const Drawing::Text& text, const Box& clip, double scale) {
    if (text.angle != 0) return std::nullopt;
    const float top = text.at.y - 0.78f * text.em, bottom = text.at.y + 0.24f * text.em;
    const Box box{{text.at.x, top}, {text.at.x + text.end, bottom}};
    // A text clipped by the edge of a scrolling list is whole once it is scrolled to.
    if (box.min.x < clip.min.x - 1 || box.max.x > clip.max.x + 1 || box.min.y < clip.min.y - 1 ||
        box.max.y > clip.max.y + 1)
        return std::nullopt;
    const int left = std::max(0, static_cast<int>(box.min.x)),
              right = std::min(image.width, static_cast<int>(box.max.x) + 1);
    const int above = std::max(0, static_cast<int>(box.min.y)),
              below = std::min(image.height, static_cast<int>(box.max.y) + 1);
    std::unordered_map<std::uint32_t, int> often;
    for (int y = above; y < below; ++y)
        for (int x = left; x < right; ++x) ++often[key(at(image, x, y))];
    if (often.empty()) return std::nullopt;
    const std::uint32_t most = std::ranges::max_element(often, {}, [](const auto& e) { return e.second; })->first;
    const Rgb ground{(most >> 16) / 255.0, (most >> 8 & 255) / 255.0, (most & 255) / 255.0};
    const double alpha = (text.colour >> IM_COL32_A_SHIFT & 255) / 255.0;
    const auto blend = [&](int shift, double under) {
        return alpha * (text.colour >> shift & 255) / 255.0 + (1 - alpha) * under;
    };
    const Rgb drawn{blend(IM_COL32_R_SHIFT, ground.r), blend(IM_COL32_G_SHIFT, ground.g),
                    blend(IM_COL32_B_SHIFT, ground.b)};
    Rgb ink = ground;
    int rows = 0;
    for (int y = above; y < below; ++y) {
        bool inked = false;
        for (int x = left; x < right; ++x) {
            const Rgb pixel = at(image, x, y);
            if (apart(pixel, drawn) < apart(ink, drawn)) ink = pixel;
            inked |= apart(pixel, ground) > 0.5 * apart(drawn, ground);
        }
        rows += inked;
    }
    return Measured{glassformer::to_utf8(text.letters), text.em / scale, contrast(ink, ground), contrast(drawn, ground),
                    rows};
}

/// Measures a frame of the stage, both as shapes and as pixels.
std::vector<Measured> texts_of(Story& story, const Theme& colours) {
    const PixelSize size = story.surface->size();
    ImGuiStyle& style = ImGui::GetStyle();
    story.host.begin_frame([] { script_mouse({-1e6f, -1e6f}, false, false); });
    style.AntiAliasedLines = style.AntiAliasedFill = false;
    story.app.draw(story.host);
    ImGui::End();
    ImGui::Render();
    style.AntiAliasedLines = style.AntiAliasedFill = true;
    const Drawing drawing = read_drawing(*ImGui::GetDrawData(), story.host.ui(), colours,
                                         {{0, 0}, {static_cast<float>(size.width), static_cast<float>(size.height)}});
    const Image image = story.picture();
    std::vector<Measured> all;
    for (const Drawing::Shape& shape : drawing.shapes)
        if (const auto* text = std::get_if<Drawing::Text>(&shape.what))
            if (std::optional<Measured> measured = measure(image, *text, shape.clip, size.height / 1080.0))
                all.push_back(std::move(*measured));
    return all;
}

/// A text on the stage without its pixels: its height in the picture, and whether it is cut by an edge.
struct OnStage {
    std::string text;
    double share = 0;
    bool cut = false;
};
std::vector<OnStage> on_stage(Story& story) {
    const PixelSize size = story.surface->size();
    story.frame([] { script_mouse({-1e6f, -1e6f}, false, false); });
    const Drawing drawing = read_drawing(*ImGui::GetDrawData(), story.host.ui(), theme(story.state().theme),
                                         {{0, 0}, {static_cast<float>(size.width), static_cast<float>(size.height)}});
    std::vector<OnStage> all;
    for (const Drawing::Shape& shape : drawing.shapes) {
        const auto* text = std::get_if<Drawing::Text>(&shape.what);
        if (!text) continue;
        const float top = text->at.y - 0.6f * text->em, bottom = text->at.y;
        const bool seen = top < shape.clip.max.y && bottom > shape.clip.min.y;
        if (!seen) continue;
        all.push_back({glassformer::to_utf8(text->letters), static_cast<double>(text->em) / size.height,
                       text->angle == 0 && (top < shape.clip.min.y - 1 || bottom > shape.clip.max.y + 1)});
    }
    return all;
}

/// Adds texts that are too small to be read from the last row, and reports those that are cut.
void check_sizes(Story& story, const std::string& where, Differences& differences) {
    const bool tell = std::getenv("GLASSFORMER_TELL") != nullptr;
    double least = 1;
    std::string cut;
    const std::vector<OnStage> texts = on_stage(story);
    CHECK(texts.size() > 3);
    for (const OnStage& one : texts) {
        least = std::min(least, one.share);
        if (one.share * 1080 < least_size)
            differences.add(where + ": \"" + one.text + "\" " + std::to_string(one.share));
        if (one.cut) cut += " | " + one.text;
    }
    if (tell) std::cout << where << ": least " << least << (cut.empty() ? "" : "; cut" + cut) << std::endl;
}

/// Measures every panel of the stage, then a vote and the console.
void check_every_panel(Story& story, ThemeKind kind, std::size_t least_panels) {
    // If set, prints all measurements, including those that pass.
    const bool tell = std::getenv("GLASSFORMER_TELL") != nullptr;
    const PixelSize size = story.surface->size();
    story.state().theme = kind;
    story.state().reduce_motion = true;
    REQUIRE(story.play("key F5\nframes 3") == "");
    std::set<std::string> seen;
    // `from`: the first text of whatever covers the panel.
    const auto look = [&](const std::string& what, const std::string& from = {}) {
        CAPTURE(what);
        CAPTURE(size.height);
        story.settle(3);
        std::vector<Measured> texts = texts_of(story, theme(kind));
        if (!from.empty()) texts.erase(texts.begin(), std::ranges::find(texts, from, &Measured::text));
        CHECK(texts.size() > 3);
        double least = 1e9, smallest = 1e9;
        std::string unreadable;
        for (const Measured& m : texts) {
            least = std::min(least, m.contrast), smallest = std::min(smallest, m.size);
            // With few pixels, no pixel lies fully within a stroke; punctuation hardly has any.
            const double wanted = size.height >= 1080 ? 4.5 : 3.0;
            if (m.contrast < wanted || m.drawn < 4.5 || m.size < least_size || m.ink < 1)
                unreadable += "\n  \"" + m.text + "\" contrast " + std::to_string(m.contrast) + ", as drawn " +
                              std::to_string(m.drawn) + ", size " + std::to_string(m.size) + ", rows " +
                              std::to_string(m.ink);
        }
        CHECK(unreadable == "");
        if (tell)
            std::cout << story.snapshot().model->world << ", " << size.width << " × " << size.height
                      << (kind == ThemeKind::dark ? " dark, " : " light, ") << what << ": " << texts.size()
                      << " texts, smallest " << smallest << " of 1080, least contrast " << least << std::endl;
    };
    for (std::string panel = story.text("panel/box"); seen.insert(panel).second; panel = story.text("panel/box")) {
        look(panel);
        REQUIRE(story.play("key PageDown\nframes 3") == "");
    }
    CHECK(seen.size() >= least_panels);
    REQUIRE(story.play("key V\nframes 3") == "");
    look("a vote", "Vote");
    REQUIRE(story.play("key Escape\nkey K\nframes 3") == "");
    look("the console");
}

}  // namespace

TEST_CASE("story: an audience can read every text of every panel, at four screen sizes, in both themes") {
    for (const ThemeKind kind : {ThemeKind::light, ThemeKind::dark})
        for (const PixelSize size :
             {PixelSize{1024, 768}, PixelSize{1280, 720}, PixelSize{1920, 1080}, PixelSize{3840, 2160}}) {
            if (!std::getenv("GLASSFORMER_TELL") && kind == ThemeKind::dark && size.height != 1080) continue;
            Story story({.size = size});
            check_every_panel(story, kind, 16);
        }
}

TEST_CASE("story: an audience can read every text of models for translation, text, sorting and numbers") {
    for (const std::string model : {"translation", "next_word", "induction", "order", "regression"}) {
        CAPTURE(model);
        Story story({.size = {1920, 1080}, .model = model});
        check_every_panel(story, ThemeKind::light, 15);
    }
}

TEST_CASE("story: on the stage every text is at least 1/40 of the height, with one sentence and two") {
    for (const bool both : {false, true})
        for (const PixelSize size : {PixelSize{1280, 720}, PixelSize{1920, 1080}, PixelSize{3840, 2160}}) {
            Story story({.size = size});
            story.state().compare = both;
            REQUIRE(story.play("key F5\nframes 3") == "");
            Differences differences;
            std::set<std::string> seen;
            for (std::string panel = story.text("panel/box"); seen.insert(panel).second;
                 panel = story.text("panel/box")) {
                story.settle(4);
                check_sizes(story, std::to_string(size.height) + (both ? " A and B, " : " A, ") + panel, differences);
                REQUIRE(story.play("key PageDown\nframes 3") == "");
            }
            CHECK(seen.size() >= 16);
            REQUIRE(story.play("key V\nframes 3") == "");
            check_sizes(story, "a vote", differences);
            REQUIRE(story.play("key Escape\nkey K\nframes 3") == "");
            check_sizes(story, "the console with its notes", differences);
            CHECK(differences.report() == "");
        }
}

TEST_CASE("story: on the stage every text of every lesson is at least 1/40 of the height") {
    Story story({.size = {1280, 720}});
    REQUIRE(story.play("key F5\nframes 3") == "");
    Differences differences;
    const auto lessons = story.app.lessons().folder().lessons();
    REQUIRE(lessons.size() >= 15);
    for (const auto& lesson : lessons)
        for (std::size_t step = 1; step <= lesson->steps.size(); ++step) {
            const std::string name = lesson->name + " " + std::to_string(step);
            REQUIRE(story.play("lesson " + name + "\nframes 4") == "");
            check_sizes(story, "lesson " + name, differences);
        }
    CHECK(differences.report() == "");
}

TEST_CASE("story: on the stage views use the full width, and no matrix is cut off") {
    for (const bool both : {false, true}) {
        CAPTURE(both);
        Story story({.size = {1280, 720}});
        story.state().compare = both;
        REQUIRE(story.play("key F5\nframes 3\nkey 5\nframes 4") == "");
        REQUIRE(story.text("panel/box") == "Q K V");
        for (const std::string& letter : both ? std::vector<std::string>{"A", "B"} : std::vector<std::string>{"A"})
            for (const char* matrix : {"q", "k", "v"}) {
                const Item* at = story.find(letter + "/" + matrix + " matrix");
                REQUIRE(at);
                CAPTURE(at->label);
                CHECK(at->max.y <= 720);
                CHECK(at->max.x <= 1280);
                CHECK(at->min.y == story.find(letter + "/q matrix")->min.y);
            }
        if (both) {  // the lecture's four numbers for both, and what remains of them
            REQUIRE(story.play("key 6\nframes 6") == "");
            REQUIRE(story.text("panel/box") == "LayerNorm");
            for (const char* letter : {"A", "B"}) {
                for (const char* row : {"0", "difference 0", "difference 3", "out 3", "set 2"}) {
                    CAPTURE(row);
                    const Item* at = story.find(std::string(letter) + "/norm example " + row);
                    REQUIRE(at);
                    CHECK(at->in_sight);
                    CHECK(at->max.y <= story.find("panel/box")->max.y);
                }
                const std::string plot = std::string(letter) + "/norm ";
                CHECK(story.find(plot + "out bin 0")->max.y < story.find(plot + "example")->min.y);
                CHECK(story.find(plot + "before bin 0")->height() >= 24);
            }
            continue;
        }
        CHECK(story.find("A/v matrix")->max.x > 0.9f * 1280);
        REQUIRE(story.play("key 4\nframes 4") == "");
        REQUIRE(story.text("panel/box") == "All heads");
        const Item* large = story.find("large head A");
        REQUIRE(large);
        CHECK(large->min.x > story.find("heads/A 1 3")->max.x);  // the chosen head, with its words
        CHECK(story.find("A/pattern with names")->max.x > 0.85f * 1280);
        CHECK(story.find("A/pattern with names")->max.y <= 720);
        // The lecture's four numbers, and what remains after subtracting their mean.
        REQUIRE(story.play("key 6\nframes 4") == "");
        REQUIRE(story.text("panel/box") == "LayerNorm");
        for (int i = 0; i < 4; ++i)
            for (const char* row : {"", "difference ", "out "}) {
                const Item* at = story.find(std::string("A/norm example ") + row + std::to_string(i));
                REQUIRE(at);
                CHECK(at->in_sight);
                CHECK(at->max.y <= story.find("panel/box")->max.y);
            }
        CHECK(story.value("A/norm example difference 1") == 100);
        CHECK(story.value("A/norm example difference 3") == -100);
        // The same in its lesson.
        REQUIRE(story.play("lesson 7_layer_norm 2\nframes 4") == "");
        for (const char* item : {"A/norm example 3", "A/norm example difference 3", "A/norm example out 3"}) {
            CAPTURE(item);
            REQUIRE(story.find(item));
            CHECK(story.find(item)->max.y <= story.find("lesson")->min.y);
        }
        const Item* lesson = story.find("lesson");
        CHECK(story.find("lesson/leave")->max.x > 0.95f * 1280);
        CHECK(lesson->max.x - lesson->min.x == 1280);
    }
}
