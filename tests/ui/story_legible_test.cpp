// What an audience can read, measured in the pixels of the stage: how high the letters are, and how far their colour is
// from the ground that they stand on.
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

/// A text of the stage, as its pixels are.
struct Measured {
    std::string text;
    double size = 0;      // of its font, on a screen of 1080 rows
    double contrast = 0;  // of its darkest (or lightest) pixels and the ground around them
    double drawn = 0;     // of the colour that it was drawn in and that ground
    int ink = 0;          // rows that its letters take
};

/// The colour that most of a box has, and of its pixels the one that is nearest to how the text was drawn.
std::optional<Measured> measure(const Image& image, const Drawing::Text& text, const Box& clip, double scale) {
    if (text.angle != 0) return std::nullopt;
    const float top = text.at.y - 0.78f * text.em, bottom = text.at.y + 0.24f * text.em;
    const Box box{{text.at.x, top}, {text.at.x + text.end, bottom}};
    // What is cut by the edge of a list that scrolls is whole when it is scrolled to.
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
    return Measured{utf8_of(text.letters), text.em / scale, contrast(ink, ground), contrast(drawn, ground), rows};
}

/// The frame of the stage as shapes and as pixels.
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

/// Measures every panel of the stage, and then a vote and the console.
void check_every_panel(Story& story, ThemeKind kind, std::size_t least_panels) {
    // Prints what was measured, also of what passes.
    const bool tell = std::getenv("GLASSFORMER_TELL") != nullptr;
    const PixelSize size = story.surface->size();
    story.state().theme = kind;
    story.state().reduce_motion = true;
    REQUIRE(story.play("key F5\nframes 3") == "");
    std::set<std::string> seen;
    // `from`: the first text of what covers the panel.
    const auto look = [&](const std::string& what, const std::string& from = {}) {
        CAPTURE(what);
        CAPTURE(size.height);
        story.settle();
        story.frames(3);
        std::vector<Measured> texts = texts_of(story, theme(kind));
        if (!from.empty()) texts.erase(texts.begin(), std::ranges::find(texts, from, &Measured::text));
        CHECK(texts.size() > 3);
        double least = 1e9, smallest = 1e9;
        std::string unreadable;
        for (const Measured& m : texts) {
            least = std::min(least, m.contrast), smallest = std::min(smallest, m.size);
            // On few pixels no pixel is all inside a stroke; punctuation has hardly any.
            const double wanted = size.height >= 1080 ? 4.5 : 3.0;
            if (m.contrast < wanted || m.drawn < 4.5 || m.size < 21.5 || m.ink < 1)
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

TEST_CASE("story: an audience can read every text of every panel, on screens of four sizes and in both themes") {
    for (const ThemeKind kind : {ThemeKind::light, ThemeKind::dark})
        for (const PixelSize size :
             {PixelSize{1024, 768}, PixelSize{1280, 720}, PixelSize{1920, 1080}, PixelSize{3840, 2160}}) {
            if (!std::getenv("GLASSFORMER_TELL") && kind == ThemeKind::dark && size.height != 1080) continue;
            Story story({.size = size});
            check_every_panel(story, kind, 16);
        }
}

TEST_CASE("story: an audience can read every text of models that translate, continue, copy, sort and say numbers") {
    for (const std::string model : {"translation", "next_word", "induction", "order", "regression"}) {
        CAPTURE(model);
        Story story({.size = {1920, 1080}, .model = model});
        check_every_panel(story, ThemeKind::light, 15);
    }
}
