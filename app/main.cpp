// A stand-in until the program's own main: draws every helper once and saves it.
//   glassformer shot FILE.png [light|dark] [scale] [--script FILE]
#include <array>
#include <chrono>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <string>

#include "app/script/runner.h"
#include "app/ui/controls.h"
#include "app/window/glfw_window.h"
#include "app/window/imgui_host.h"
#include "app/window/input.h"
#include "app/window/offscreen.h"
#include "app/window/png.h"
#include "core/base/error.h"

namespace {

using namespace glassformer::app;
using draw::Align;

struct Demo {
    int lesson = 0, view = 1, stage = 8, token = 3;
    float rate = 0.3f;
    bool residual = true, mask = false;
    std::string sentence = "He swung the bat and hit a foul.";
};

const std::array<std::string_view, 9> words = {"he", "swung", "the", "bat", "and", "hit", "a", "foul", "."};

void top_bar(const Ui& ui, Demo& demo, float width) {
    const Theme& t = *ui.theme;
    const float h = ui.px(52);
    ui.list()->AddRectFilled({0, 0}, {width, h}, t.card);
    draw::horizontal_line(ui, 0, width, h, t.card_border);
    float x = ui.px(16);
    x += draw::text(ui, {x, (h - ui.line(FontRole::title)) / 2}, "Glassformer", {FontRole::title_bold}) + ui.px(24);
    const float y = ui.px(11), row = ui.px(30);
    const std::array<std::string_view, 3> lessons = {"Lesson 1 · Two kinds of bat", "Lesson 2 · The road",
                                                     "Lesson 3 · Induction"};
    const int chosen =
        dropdown(ui, "lesson", {x, y}, {x + ui.px(250), y + row}, lessons[demo.lesson], lessons, demo.lesson);
    if (chosen >= 0) demo.lesson = chosen;
    ImVec2 at = {x + ui.px(262), y};
    ButtonStyle train{.tone = Tone::primary, .font = FontRole::body_bold, .icon = static_cast<int>(draw::Icon::play)};
    chip(ui, "train", at, row, "Train", train, 16);
    const float line_y = y + (row - ui.line(FontRole::body)) / 2;
    at.x += draw::text(ui, {at.x, line_y}, "step 500", {FontRole::body_bold}) + ui.px(14);
    at.x += draw::text(ui, {at.x, line_y}, "loss 0.54", {FontRole::body, t.text_muted}) + ui.px(14);
    chip(ui, "backend", at, row, "CPU · AVX2", {.tone = Tone::good}, 16);
    for (int i = 0; i < 9; ++i) {
        ButtonStyle style{.tone = Tone::bare, .icon = i};
        chip(ui, ui.items->format("icon %d", i), at, row, "", style, 2);
    }
    const std::array<std::string_view, 3> views = {"Attention", "Flow", "All heads"};
    segmented(ui, "view", {width - ui.px(320), y}, {width - ui.px(16), y + row}, views, demo.view);
}

void stages(const Ui& ui, Demo& demo, ImVec2 min, ImVec2 max) {
    draw::card(ui, min, max);
    draw::text(ui, {min.x + ui.px(16), min.y + ui.px(9)}, "Block 0 · head 3", {FontRole::title_bold});
    draw::text(ui, {min.x + ui.px(16), min.y + ui.px(33)}, "How does “bat” decide where to look?",
               {FontRole::small, ui.theme->text_muted});
    const std::array<std::string_view, 11> names = {"x",   "LN",   "Q",       "K",     "V",  "q·k",
                                                    "÷√d", "mask", "softmax", "Σ a·v", "W_O"};
    ImVec2 at = {min.x + ui.px(270), min.y + ui.px(16)};
    for (int i = 0; i < 11; ++i) {
        ButtonStyle style{.tone = i <= 8 ? Tone::attention : Tone::quiet,
                          .selected = i == demo.stage,
                          .font = FontRole::small,
                          .radius = 99};
        if (i == 10) style.enabled = false;
        if (chip(ui, ui.items->format("stage %d", i), at, ui.px(28), names[i], style)) demo.stage = i;
    }
}

float fake(int i, int j) {
    return std::sin(static_cast<float>(i * 37 + j * 11)) * std::cos(static_cast<float>(i + 3 * j));
}

void rows(const Ui& ui, ImVec2 at) {
    const Theme& t = *ui.theme;
    draw::text(ui, at, "token", {FontRole::small, t.text_muted});
    draw::text(ui, {at.x + ui.px(80), at.y}, "k key", {FontRole::small_bold, t.key_text});
    draw::text(ui, {at.x + ui.px(310), at.y}, "q·k/√d", {FontRole::small_bold, t.text, Align::right});
    draw::text(ui, {at.x + ui.px(330), at.y}, "softmax", {FontRole::small_bold, t.attention_text});
    at.y += ui.px(22);
    for (int i = 0; i < 9; ++i) {
        const float y = at.y + ui.px(26) * static_cast<float>(i), h = ui.px(26);
        if (i == 7) draw::rounded_box(ui, {at.x - ui.px(8), y}, {at.x + ui.px(450), y + h}, t.attention_tint, 0, 3);
        draw::text_in(ui, {at.x, y}, {at.x + ui.px(74), y + h}, words[i],
                      {i == 3 ? FontRole::body_bold : FontRole::body});
        std::array<float, 16> values;
        for (int j = 0; j < 16; ++j) values[j] = fake(i, j);
        const ImVec2 a = {at.x + ui.px(80), y + ui.px(5)}, b = {at.x + ui.px(224), y + ui.px(21)};
        const int over = draw::signed_strip(ui, a, b, values, 1, i == 8 ? 0.3f : 1);
        if (over >= 0) draw::tooltip(ui, ui.items->format("k[%s, %d]\n%+.3f", words[i].data(), over, values[over]));
        char buffer[16];
        draw::text_in(ui, {at.x + ui.px(230), y}, {at.x + ui.px(310), y + h},
                      draw::signed_number(buffer, fake(i, 5) * 2.2), {FontRole::body, 0, Align::right});
        const float weight = i == 7 ? 0.55f : 0.06f;
        draw::bar(ui, {at.x + ui.px(330), y + ui.px(6)}, {at.x + ui.px(390), y + ui.px(20)}, weight,
                  t.attention_colour(weight), t.track);
        draw::text_in(ui, {at.x + ui.px(398), y}, {at.x + ui.px(450), y + h}, i == 7 ? "0.55" : "0.06",
                      {i == 7 ? FontRole::body_bold : FontRole::body, i == 7 ? 0 : t.text_muted});
    }
}

void matrix(const Ui& ui, ImVec2 at) {
    const Theme& t = *ui.theme;
    const float cell = ui.px(22);
    for (int i = 0; i < 9; ++i) {
        const float k = static_cast<float>(i);
        draw::text_rotated(ui, {at.x + cell * (k + 0.4f), at.y - ui.px(8)}, 38, words[i],
                           {FontRole::small, t.text_muted});
        draw::text_in(ui, {at.x - ui.px(80), at.y + cell * k}, {at.x - ui.px(8), at.y + cell * (k + 1)}, words[i],
                      {i == 3 ? FontRole::small_bold : FontRole::small, i == 3 ? t.text : t.text_muted, Align::right});
        for (int j = 0; j < 9; ++j) {
            const float weight = i == 3 && j == 7 ? 0.55f : std::abs(fake(i, j)) * 0.4f;
            const ImVec2 a = {at.x + cell * static_cast<float>(j), at.y + cell * k};
            draw::rounded_box(ui, a, {a.x + cell - ui.px(2), a.y + cell - ui.px(2)}, t.attention_colour(weight), 0,
                              2.5f);
        }
    }
    draw::selection_frame(ui, {at.x - ui.px(2), at.y + cell * 3 - ui.px(2)}, {at.x + cell * 9, at.y + cell * 4});
}

void sentence_card(const Ui& ui, Demo& demo, ImVec2 min, ImVec2 max) {
    const Theme& t = *ui.theme;
    draw::card(ui, min, max, t.sense_a);
    const float x = min.x + ui.px(20);
    draw::text(ui, {x, min.y + ui.px(12)}, "A · baseball", {FontRole::small_bold, t.sense_a_text});
    ImVec2 at = {x, min.y + ui.px(36)};
    const std::array<float, 9> weights = {0.02f, 0.05f, 0.04f, 0.03f, 0.1f, 0.11f, 0.05f, 0.55f, 0.06f};
    for (int i = 0; i < 9; ++i) {
        ButtonStyle style{.gold = i == demo.token, .fill = i == demo.token ? 0 : t.attention_colour(weights[i])};
        if (chip(ui, ui.items->format("A/%s", words[i].data()), at, ui.px(28), words[i], style, 5)) demo.token = i;
    }
    rows(ui, {x, min.y + ui.px(80)});
    draw::horizontal_line(ui, x, max.x - ui.px(20), min.y + ui.px(346));
    draw::text(ui, {x, min.y + ui.px(354)}, "pattern", {FontRole::small_bold, t.attention_text});
    matrix(ui, {x + ui.px(80), min.y + ui.px(412)});
}

void side_card(const Ui& ui, Demo& demo, ImVec2 min, ImVec2 max) {
    const Theme& t = *ui.theme;
    draw::card(ui, min, max);
    const float x = min.x + ui.px(16), right = max.x - ui.px(16);
    float y = min.y + ui.px(12);
    draw::text(ui, {x, y}, "Where does 0.55 come from?", {FontRole::title_bold});
    draw::text(ui, {x, y += ui.px(28)}, "pattern[bat → foul]", {FontRole::body_bold, t.attention_text});
    const std::array<draw::Run, 6> runs = {{{"a", FontRole::title_bold, t.attention_text, 0},
                                            {"bat, foul", FontRole::small, t.attention_text, -0.25f},
                                            {" = e", FontRole::title, 0, 0},
                                            {"2.12", FontRole::small, 0, 0.3f},
                                            {" ÷ Σ e^s = 8.34 ÷ 15.28 = ", FontRole::title, 0, 0},
                                            {"0.55", FontRole::title_bold, t.selection_text, 0}}};
    draw::text_runs(ui, {x, y += ui.px(28)}, runs);
    y += ui.px(30);
    y += draw::text_wrapped(
        ui, {x, y}, right - x,
        "Symbols: √ Σ · − ÷ × μ σ γ β ε ᵀ → ← ↑ ↓ ■ □ ▢ ∞ ≥ ≤ ≈ … – — ’ “ ” ▾ ▸ ● ○ ½ ² ₀₁₂₃ ∂ ∇ ⟳ ↺ ✓ ✕ ⌫ "
        "⏎ é œ ł Ő ∈ ⊙ x̂ ∥ ≠",
        {FontRole::body, t.text_muted});
    y += ui.px(8);
    const char* figures[] = {"1111.11", "8888.88", "−0.741", "+0.147"};
    for (const char* figure : figures) {
        draw::text(ui, {x + ui.px(80), y}, figure, {FontRole::body, 0, Align::right});
        draw::text(ui, {x + ui.px(180), y}, figure, {FontRole::body_bold, 0, Align::right});
        draw::text(ui, {x + ui.px(260), y}, figure, {FontRole::small, t.text_faint, Align::right});
        y += ui.px(21);
    }
    const std::array<float, 3> accuracy = {0.62f, 0.95f, 0.96f};
    const char* names[] = {"embedding", "block 0", "block 1"};
    y += ui.px(10);
    for (int i = 0; i < 3; ++i, y += ui.px(28)) {
        draw::text_in(ui, {x, y}, {x + ui.px(80), y + ui.px(18)}, names[i]);
        draw::bar(ui, {x + ui.px(90), y}, {right - ui.px(60), y + ui.px(18)}, accuracy[i],
                  t.attention_colour(0.3f * static_cast<float>(i + 1)), t.track);
        draw::text_in(ui, {right - ui.px(56), y}, {right, y + ui.px(18)}, i == 0 ? "62 %" : "95 %",
                      {FontRole::body_bold, 0, Align::right});
    }
    slider(ui, "rate", {x, y}, {right, y + ui.px(28)}, demo.rate, 0, 1, "0.0030");
    checkbox(ui, "residual", {x, y += ui.px(36)}, "residual stream", demo.residual);
    checkbox(ui, "mask", {x + ui.px(170), y}, "causal mask", demo.mask);
    y += ui.px(30);
    text_field(ui, "sentence", {x, y}, {right, y + ui.px(32)}, demo.sentence, "a sentence");
    std::array<ImVec2, 60> curve, other;
    for (int i = 0; i < 60; ++i) {
        const float k = static_cast<float>(i);
        curve[i] = {x + k * ui.px(6), y + ui.px(60) + ui.px(80) * (1 - std::exp(-k / 12))};
        other[i] = {x + k * ui.px(6), y + ui.px(130) - ui.px(60) * (1 - std::exp(-k / 8))};
    }
    draw::line(ui, curve, t.residual, 2 * ui.scale);
    draw::dashed_line(ui, other, t.attention_text, 2 * ui.scale);
    draw::text_in(ui, {x, y + ui.px(146)}, {x + ui.px(120), y + ui.px(170)}, "too long to fit in this box",
                  {FontRole::small});
}

void demo_frame(const Ui& ui, Demo& demo) {
    const ImVec2 size = ImGui::GetIO().DisplaySize;
    top_bar(ui, demo, size.x);
    const float side = size.x - ui.px(420);
    stages(ui, demo, {ui.px(16), ui.px(66)}, {side, ui.px(126)});
    sentence_card(ui, demo, {ui.px(16), ui.px(138)}, {side, size.y - ui.px(16)});
    side_card(ui, demo, {side + ui.px(14), ui.px(66)}, {size.x - ui.px(16), size.y - ui.px(16)});
}

int window(float scale) {
    const auto surface = open_window({.width = 1280, .height = 820});
    ImGuiHost host(*surface, {scale, ThemeKind::light});
    Demo demo;
    int frames = 0;
    while (!surface->should_close()) {
        if (!surface->wait_for_events(false)) continue;
        host.begin_frame();
        demo_frame(host.ui(), demo);
        if (key_pressed(Key::f6)) host.ui().focus->move(shift_down() ? -1 : 1);
        if (key_pressed(Key::enter)) host.ui().focus->activate();
        if (ctrl_down() && key_pressed(Key::q)) break;
        if (ctrl_down() && key_pressed(Key::equal)) host.set_scale(host.scale() + 0.25f);
        host.end_frame_and_draw();
        surface->present();
        ++frames;
    }
    std::printf("OpenGL %d, %d frames, stage %d, token %d\n", surface->gl_version(), frames, demo.stage, demo.token);
    return 0;
}

int run(int argc, char** argv) {
    if (argc > 1 && std::string(argv[1]) == "window") return window(1);
    const auto start = std::chrono::steady_clock::now();
    const auto elapsed = [&] {
        return std::chrono::duration<double, std::milli>(std::chrono::steady_clock::now() - start).count();
    };
    if (argc < 3 || std::string(argv[1]) != "shot") {
        std::puts("usage: glassformer shot FILE.png [light|dark] [scale] [script]");
        return 2;
    }
    const ThemeKind kind = argc > 3 && std::string(argv[3]) == "dark" ? ThemeKind::dark : ThemeKind::light;
    const float scale = argc > 4 ? std::strtof(argv[4], nullptr) : 1;
    const auto surface = open_offscreen({static_cast<int>(1280 * scale), static_cast<int>(820 * scale)});
    std::printf("surface after %.0f ms\n", elapsed());
    ImGuiHost host(*surface, {scale, kind});
    std::printf("host after %.0f ms, fonts %.0f ms (%s)\n", elapsed(), host.fonts().build_seconds * 1e3,
                host.fonts().family.c_str());
    Demo demo;
    const auto frame = [&](const std::function<void()>& script) {
        host.begin_frame(script);
        demo_frame(host.ui(), demo);
        host.end_frame_and_draw();
        surface->present();
    };
    frame({});
    surface->read();
    std::printf("first frame after %.0f ms\n", elapsed());
    if (argc > 5) {
        ScriptRunner runner(load_script(argv[5]),
                            {[&](const std::string& path) { write_png(path, surface->read()); }, {}});
        while (!runner.finished()) {
            frame([&] { runner.step(host.items(), host.ui().scale); });
            runner.after_frame();
        }
        if (runner.failed()) throw glassformer::Error(runner.message());
    }
    const double before = elapsed();
    frame({});
    const Image image = surface->read();
    std::printf("one more frame in %.1f ms\n", elapsed() - before);
    write_png(argv[2], image);
    return 0;
}

}  // namespace

int main(int argc, char** argv) {
    try {
        return run(argc, argv);
    } catch (const glassformer::Error& error) {
        std::fprintf(stderr, "glassformer: %s\n", error.what());
        return 1;
    }
}
