// Pictures of matrices, coloured by the shader from uploaded values and from a compute shader's buffers, compared with
// pictures coloured on the CPU.
#include <epoxy/gl.h>

#include <cmath>
#include <limits>
#include <thread>

#include "app/session/resident_traces.h"
#include "app/ui/heat_levels.h"
#include "app/ui/heat_texture.h"
#include "core/backend/gl/shader_text.h"
#include "core/base/error.h"
#include "core/base/rng.h"
#include "core/trace/tracer.h"
#include "tests/core/error_of.h"
#include "tests/core/fresh_parameters.h"
#include "tests/gl/changed_shaders.h"
#include "tests/ui/harness.h"
#include "tests/ui/story.h"

using namespace glassformer;
using namespace glassformer::app;

namespace {

const ImVec2 corner{20, 10};

/// Renders a matrix over a plain background.
Image shown(Screen& screen, const HeatMatrix& matrix, ImVec2 size, const HeatMarks& marks = {}) {
    screen.draw = [&](const Ui& ui) {
        ui.list()->AddRectFilled({0, 0}, {960, 600}, ui.theme->card);
        draw_heat(ui, matrix, {corner, {corner.x + size.x, corner.y + size.y}}, marks);
    };
    screen.frame();
    return screen.surface->read();
}

struct Difference {
    int largest = 0;
    double mean = 0;
    std::size_t over_three = 0;  // samples that differ by more than 3
};

Difference difference(const Image& a, const Image& b) {
    REQUIRE(a.rgba.size() == b.rgba.size());
    Difference d;
    for (std::size_t i = 0; i < a.rgba.size(); ++i) {
        const int here = std::abs(static_cast<int>(a.rgba[i]) - static_cast<int>(b.rgba[i]));
        d.largest = std::max(d.largest, here);
        d.mean += here;
        d.over_three += here > 3;
    }
    d.mean /= static_cast<double>(a.rgba.size());
    return d;
}

/// Values with a NaN, and scores that mask everything after the diagonal.
struct Numbers {
    std::vector<float> values, scores;
    std::shared_ptr<int> owner = std::make_shared<int>(0);
    int side;

    explicit Numbers(int n) : side(n) {
        Rng rng(static_cast<std::uint64_t>(n));
        for (int row = 0; row < n; ++row)
            for (int column = 0; column < n; ++column) {
                values.push_back(static_cast<float>(rng.normal()));
                scores.push_back(column > row ? -std::numeric_limits<float>::infinity() : 0.5f);
            }
        values[static_cast<std::size_t>(n) * 2 + 1] = std::nanf("");
    }
    HeatMatrix matrix(HeatColours colours, bool hidden) const {
        return {side,
                side,
                values,
                side,
                colours,
                1.5f,
                hidden ? std::span<const float>(scores) : std::span<const float>(),
                {owner, 3, 0}};
    }
};

}  // namespace

namespace {

/// A selected row and column, and a covered row; cells of 5 pixels and more have gaps.
HeatMarks marks_for(float pitch, int row, int column) {
    return {{pitch, pitch}, pitch >= 5 ? 1.0f : 0.0f, row, column, 5, -1};
}

/// Renders pictures in both themes and both kinds of colours, with and without masked cells, with cells 20, 1, 4 and
/// 5.47 pixels wide, without a selection and with the first and last or a middle row and column selected.
std::vector<Image> many_pictures(bool shaded) {
    Screen screen;
    if (!shaded) screen.host.ui().heat->without_shader();
    CHECK(screen.host.ui().heat->shaded() == shaded);
    std::vector<Image> all;
    for (const ThemeKind kind : {ThemeKind::light, ThemeKind::dark})
        for (const HeatColours colours : {HeatColours::attention, HeatColours::signed_values, HeatColours::neurons})
            for (const bool hidden : {false, true})
                for (const auto& [side, pixels] : {std::pair{17, 340.0f}, {64, 64.0f}, {128, 512.0f}, {106, 580.0f}}) {
                    screen.host.set_theme(kind);
                    const Numbers numbers(side);
                    const HeatMatrix matrix = numbers.matrix(colours, hidden);
                    const ImVec2 size{pixels, pixels};
                    const float pitch = pixels / static_cast<float>(side);
                    all.push_back(shown(screen, matrix, size));
                    all.push_back(shown(screen, matrix, size, marks_for(pitch, 0, side - 1)));
                    all.push_back(shown(screen, matrix, size, marks_for(pitch, side / 2, -1)));
                }
    return all;
}

}  // namespace

TEST_CASE("heat maps: the shaders also compile as OpenGL ES 3.0, which WebGL 2 needs") {
    const std::unique_ptr<Offscreen> surface = open_offscreen({64, 64});
    surface->make_current();
    if (!epoxy_has_gl_extension("GL_ARB_ES3_compatibility")) return;
    const GLuint program = glCreateProgram();
    for (const auto& [kind, path] :
         {std::pair{GL_VERTEX_SHADER, "draw/heat.vert"}, std::pair{GL_FRAGMENT_SHADER, "draw/heat.frag"}}) {
        const std::string text = gl::shader_text(path, {}, gl::glsl_es).text;
        const char* source = text.c_str();
        const GLuint shader = glCreateShader(static_cast<GLenum>(kind));
        glShaderSource(shader, 1, &source, nullptr);
        glCompileShader(shader);
        char log[4096] = "";
        glGetShaderInfoLog(shader, sizeof log, nullptr, log);
        GLint good = GL_FALSE;
        glGetShaderiv(shader, GL_COMPILE_STATUS, &good);
        CHECK_MESSAGE(good, path << ": " << log);
        glAttachShader(program, shader);
        glDeleteShader(shader);
    }
    glLinkProgram(program);
    GLint good = GL_FALSE;
    glGetProgramiv(program, GL_LINK_STATUS, &good);
    CHECK(good);
    glDeleteProgram(program);
}

TEST_CASE("pictures: the shader gives the same colours as the CPU") {
    const std::vector<Image> shaded = many_pictures(true), plain = many_pictures(false);
    for (std::size_t i = 0; i < shaded.size(); ++i) {
        CAPTURE(i);
        CHECK(difference(shaded[i], plain[i]).largest <= 2);
    }
}

TEST_CASE("pictures: a pixel that covers several cells has the colour of their mean, without masked cells") {
    Screen screen;
    const Numbers numbers(256);
    const HeatLevel halves = next_level(level_of(numbers.matrix(HeatColours::attention, false), 2048, 2048));
    for (const HeatColours colours : {HeatColours::attention, HeatColours::signed_values, HeatColours::neurons}) {
        const HeatMatrix matrix = numbers.matrix(colours, false);
        const HeatMatrix expected{128,     128,          halves.means, 128,
                                  colours, matrix.range, {},           {std::make_shared<int>(0), 1, 0}};
        CHECK(difference(shown(screen, matrix, {128, 128}), shown(screen, expected, {128, 128})).largest <= 2);
    }
    // A pixel with three of four cells masked shows the fourth, faintly.
    std::vector<float> values{1, 0, 0, 0}, scores(4, -std::numeric_limits<float>::infinity());
    scores[0] = 0;
    const HeatMatrix four{2, 2, values, 2, HeatColours::attention, 1, scores, {std::make_shared<int>(0), 1, 0}};
    const Image image = shown(screen, four, {1, 1});
    const Theme& t = theme(ThemeKind::light);
    const ImVec4 full = ImGui::ColorConvertU32ToFloat4(t.attention), card = ImGui::ColorConvertU32ToFloat4(t.card);
    const float red = 255 * (0.25f * full.x + 0.75f * card.x);
    CHECK(static_cast<double>(pixel(image, corner.x, corner.y) >> 16) ==
          doctest::Approx(static_cast<double>(red)).epsilon(0.02));
}

TEST_CASE("pictures: no more cells are uploaded than there are pixels, and part of a matrix is its own texture") {
    Screen screen;
    const Numbers numbers(256);
    const HeatMatrix whole = numbers.matrix(HeatColours::signed_values, false);
    const ImVec2 size{128, 128};
    shown(screen, whole, size);
    HeatTextures& heat = *screen.host.ui().heat;
    CHECK(heat.bytes() == std::size_t{4} * 128 * 128);
    shown(screen, whole, {120, 100});  // still fewer than two cells per pixel
    CHECK(heat.made() == 1);
    HeatMatrix part = whole, alone = whole;
    part.rows = part.columns = alone.rows = alone.columns = 128;  // it begins where the whole matrix begins
    alone.key.owner = std::make_shared<int>(0);
    CHECK(difference(shown(screen, part, size), shown(screen, alone, size)).largest == 0);
    CHECK(heat.made() == 3);
}

TEST_CASE("pictures: lines mark the selected row and column, and a new selection uploads nothing") {
    Screen screen;
    const Numbers numbers(40);
    const HeatMatrix matrix = numbers.matrix(HeatColours::attention, false);
    const Theme& t = theme(ThemeKind::light);
    const auto channel = [](ImU32 colour, int shift) { return static_cast<double>(colour >> shift & 0xff); };
    // Rows are 10 pixels high: there are lines one pixel before row 12 and in its gap.
    const auto check_line = [&](const Image& with, const Image& without, float x, float y) {
        CAPTURE(x);
        CAPTURE(y);
        for (int shift = 0; shift < 24; shift += 8) {
            const double below = channel(pixel(without, x, y), 16 - shift), above = channel(t.text, shift);
            CHECK(channel(pixel(with, x, y), 16 - shift) ==
                  doctest::Approx(below + static_cast<double>(lit_line_alpha) * (above - below)).epsilon(0.02));
        }
    };
    const Image plain = shown(screen, matrix, {400, 400}, {.pitch = {10, 10}, .gap = 1});
    const Image row = shown(screen, matrix, {400, 400}, {.pitch = {10, 10}, .gap = 1, .lit_row = 12});
    const Image column = shown(screen, matrix, {400, 400}, {.pitch = {10, 10}, .gap = 1, .lit_column = 0});
    for (const float x : {20.5f, 104.5f, 419.5f})
        check_line(row, plain, x, 10 + 119.5f), check_line(row, plain, x, 10 + 129.5f);
    // The line before the first column lies outside the picture.
    for (const float y : {10.5f, 203.5f, 409.5f})
        check_line(column, plain, 19.5f, y), check_line(column, plain, 29.5f, y);
    for (const Image* image : {&row, &column}) {
        CHECK(pixel(*image, 24.5f, 134.5f) == pixel(plain, 24.5f, 134.5f));
        CHECK(pixel(*image, 200.5f, 9.5f) == pixel(plain, 200.5f, 9.5f));
    }
    CHECK(screen.host.ui().heat->made() == 1);
}

TEST_CASE("pictures: a new colour, range or theme uploads nothing, a new matrix does") {
    Screen screen;
    const HeatTextures& heat = *screen.host.ui().heat;
    const Numbers numbers(40), others(40);
    HeatMatrix matrix = numbers.matrix(HeatColours::signed_values, false);
    const Image first = shown(screen, matrix, {200, 200});
    matrix.range = 0.2f;
    CHECK(difference(first, shown(screen, matrix, {200, 200})).largest > 10);
    matrix.colours = HeatColours::attention;
    screen.host.set_theme(ThemeKind::dark);
    shown(screen, matrix, {300, 100});
    CHECK(heat.made() == 1);
    CHECK(heat.bytes() == 40 * 40 * 4);
    shown(screen, others.matrix(HeatColours::attention, true), {200, 200});
    CHECK(heat.made() == 2);
    CHECK(heat.bytes() == 3 * 40 * 40 * 4);
}

TEST_CASE("pictures: a shader edited on disk is reloaded in the next frame, unless it does not compile") {
    const testing::ChangedShaders shaders;
    Screen screen;
    const Numbers numbers(40);
    const HeatMatrix matrix = numbers.matrix(HeatColours::attention, false);
    const Image before = shown(screen, matrix, {200, 200});
    shaders.change("draw/heat.frag", "return vec4(shown, found.y);", "return vec4(0.0, 0.0, 1.0, 1.0);");
    const Image blue = shown(screen, matrix, {200, 200});
    CHECK(pixel(blue, 100, 100) == 0x0000ff);
    shaders.change("draw/heat.frag", "return vec4(shown, found.y);", "nonsense");
    CHECK(difference(blue, shown(screen, matrix, {200, 200})).largest == 0);
    shaders.change("draw/heat.frag", "return vec4(shown, found.y);", "return vec4(shown, found.y);");
    CHECK(difference(before, shown(screen, matrix, {200, 200})).largest == 0);
}

TEST_CASE("pictures: a matrix larger than the screen is downsampled, and masked cells stay masked") {
    Screen screen;
    const int side = 2500;
    std::vector<float> values(static_cast<std::size_t>(side) * side, 1.0f), scores(values.size(), 0.0f);
    for (int row = 0; row < side; ++row)
        std::fill_n(scores.begin() + static_cast<std::ptrdiff_t>(row) * side + side / 2, side / 2,
                    -std::numeric_limits<float>::infinity());
    const HeatMatrix matrix{
        side, side, values, side, HeatColours::attention, 1, scores, {std::make_shared<int>(0), 1, 0}};
    const Image image = shown(screen, matrix, {400, 400});
    const auto rgb = [](ImU32 c) { return (c & 0xff) << 16 | (c & 0xff00) | (c >> 16 & 0xff); };
    CHECK(pixel(image, 100, 200) == rgb(theme(ThemeKind::light).attention));
    CHECK(pixel(image, 350, 200) == rgb(theme(ThemeKind::light).card));
    CHECK(screen.host.ui().heat->bytes() == std::size_t{2} * 2048 * 2048 * 4);
}

TEST_CASE("pictures: a pattern drawn from a compute shader's buffer equals one uploaded from the CPU's trace") {
    Screen screen;
    TransformerConfig config;
    config.family = Family::decoder;
    config.d_vocab = 37, config.n_ctx = 70, config.d_model = 24, config.n_heads = 3, config.n_layers = 2;
    config.d_mlp = 40, config.init_std = 0.4f;
    std::vector<int> tokens;
    for (int p = 0; p < 65; ++p) tokens.push_back(p * 5 % 12);
    const Parameters parameters = fresh_parameters(config, 2);
    CpuBackend cpu(1);
    std::array<WatchedSentence, 2> sentences;
    sentences[0].trace = Tracer(cpu, config).trace(tokens, parameters);
    const Trace& trace = *sentences[0].trace;

    // As in the program, the second context is used on another thread.
    const std::unique_ptr<SharedContext> context = screen.surface->create_shared_context();
    std::string trouble;
    std::thread([&] {
        context->make_current();
        trouble = error_of([&] {
            GlBackend gl;
            ResidentTraces().look(sentences, &gl);
        });
        context->release();
    }).join();
    if (!GlBackend::compiled()) return;
    REQUIRE(trouble == "");
    REQUIRE(sentences[0].resident);
    CHECK_FALSE(sentences[1].resident);

    HeatTextures& heat = *screen.host.ui().heat;
    const int n = trace.positions();
    for (const char* name : {"blocks.0.attn.hook_pattern", "blocks.1.attn.hook_pattern",
                             "blocks.1.attn.hook_attn_scores", "blocks.1.hook_resid_post"})
        for (const int head : {0, 2})
            for (const float pixels : {520.0f, 130.0f, 33.0f}) {
                CAPTURE(name);
                CAPTURE(head);
                CAPTURE(pixels);
                const int node = trace.graph().at(name);
                const bool pattern = std::string(name).ends_with("pattern"),
                           whole = std::string(name).ends_with("post");
                const std::int64_t first = whole ? 0 : std::int64_t{head} * n * n;
                const auto cells = [&](int of) { return trace.values(of).subspan(first); };
                HeatMatrix matrix{n,
                                  whole ? config.d_model : n,
                                  cells(node),
                                  whole ? config.d_model : n,
                                  pattern ? HeatColours::attention : HeatColours::signed_values,
                                  1.0f,
                                  {},
                                  {sentences[0].trace, node, first}};
                if (pattern)
                    matrix.scores = cells(trace.graph().at(std::string(name).substr(0, 14) + "hook_attn_scores"));
                HeatMatrix uploaded = matrix;
                uploaded.key.owner = std::make_shared<int>(0);
                const float pitch = pixels / static_cast<float>(n);
                const HeatMarks marks{
                    {pixels / static_cast<float>(matrix.columns), pitch}, pitch >= 5 ? 1.0f : 0.0f, 7, 3};
                const Image expected = shown(screen, uploaded, {pixels, pixels}),
                            selected = shown(screen, uploaded, {pixels, pixels}, marks);
                CHECK(difference(expected, selected).largest > 20);
                CHECK(heat.resident() == 0);
                heat.reside(sentences[0].trace, sentences[0].resident);
                CHECK(difference(expected, shown(screen, matrix, {pixels, pixels})).largest <= 2);
                CHECK(difference(selected, shown(screen, matrix, {pixels, pixels}, marks)).largest <= 2);
                CHECK(heat.resident() == 1);
            }
    sentences = {};
}

namespace {

/// The window without its top bar, which names the compute device; and again with the mouse on the pattern.
struct Seen {
    Image image, pointed;
    std::int64_t resident = 0;
    bool open_gl = false;
};

Seen long_sentence(BackendPreference wish) {
    ComputeOptions compute;
    compute.preference = wish;
    StoryOptions options;
    options.model = "sample";
    options.compute = &compute;
    Story story(options);
    std::string text = story.snapshot().sentences[0].text;
    while (text.size() < 60) text += " " + text;
    story.send(command::Watch{0, text.substr(0, 60)});
    story.frames(3);
    REQUIRE(story.snapshot().sentences[0].trace);
    REQUIRE(story.snapshot().sentences[0].trace->positions() > 24);
    Seen seen{story.picture(), {}, story.host.ui().heat->resident(), story.snapshot().computing.open_gl};
    CHECK((story.snapshot().sentences[0].resident != nullptr) == seen.open_gl);
    CHECK(story.play("hover A/pattern\nframes 3") == "");
    seen.pointed = story.picture();
    for (Image* image : {&seen.image, &seen.pointed}) {
        const auto below = static_cast<std::ptrdiff_t>(60 * image->width * 4);
        image->rgba.erase(image->rgba.begin(), image->rgba.begin() + below);
    }
    return seen;
}

}  // namespace

TEST_CASE("story: with OpenGL, long sentences are drawn from its buffers and look the same as on the CPU") {
    const Seen expected = long_sentence(BackendPreference::cpu), given = long_sentence(BackendPreference::gl);
    CHECK(expected.resident == 0);
    if (!given.open_gl) return;
    CHECK(given.resident > 0);
    // Dear ImGui 1.92 adds glyphs to its texture in the order of first use, and their position there changes the edges
    // of some.
    const std::size_t letters_differ = IMGUI_VERSION_NUM >= 19200 ? expected.image.rgba.size() / 10'000 : 0;
    CHECK(difference(expected.image, given.image).over_three <= letters_differ);
    CHECK(difference(expected.image, expected.pointed).mean > 0);
    CHECK(difference(expected.pointed, given.pointed).over_three <= letters_differ);
}
