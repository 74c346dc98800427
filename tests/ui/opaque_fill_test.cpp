#include "app/ui/opaque_fill.h"

#include <doctest/doctest.h>
#include <epoxy/gl.h>
#include <imgui_impl_opengl3.h>

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <vector>

#include "app/ui/draw.h"
#include "app/window/frame_painter.h"
#include "tests/ui/harness.h"

using namespace glassformer::app;

namespace {

using Pixels = decltype(Image::rgba);

Pixels seen(Screen& screen, const std::function<void(const Ui&)>& draw) {
    screen.draw = draw;
    screen.frame();
    return screen.surface->read().rgba;
}

using Fill = std::function<void(const Ui&, ImVec2, ImVec2, ImU32)>;

void as_rectangle(const Ui& ui, ImVec2 min, ImVec2 max, ImU32 colour) { ui.list()->AddRectFilled(min, max, colour); }

/// Areas over and under other things, cut by a clip rectangle, over the edges of the screen, and empty.
void draw_areas(const Ui& ui, const Fill& fill) {
    ui.list()->AddRectFilled({100, 100}, {300, 300}, IM_COL32(200, 30, 30, 255));
    fill(ui, {200, 200}, {500, 400}, ui.theme->card);
    ui.list()->AddCircleFilled({350, 300}, 40, ui.theme->accent);
    ui.list()->PushClipRect({600, 50}, {700, 90});
    fill(ui, {580, 20}, {650, 300}, ui.theme->selection | IM_COL32_A_MASK);
    ui.list()->PopClipRect();
    fill(ui, {900, 550}, {1200, 900}, ui.theme->accent | IM_COL32_A_MASK);
    fill(ui, {-50, -50}, {10, 12}, ui.theme->accent | IM_COL32_A_MASK);
    fill(ui, {400, 20}, {400, 60}, ui.theme->accent);
    draw::text(ui, {210, 210}, "over it", {FontRole::body});
}

}  // namespace

TEST_CASE("an area that is cleared looks like a filled rectangle, where and when it is drawn") {
    for (const ThemeKind theme : {ThemeKind::light, ThemeKind::dark}) {
        Screen screen({.theme = theme});
        const Pixels blended = seen(screen, [](const Ui& ui) { draw_areas(ui, as_rectangle); });
        const Pixels without = seen(screen, [](const Ui&) {});
        const Pixels cleared = seen(screen, [](const Ui& ui) { draw_areas(ui, draw::opaque_fill); });
        CHECK(blended != without);
        CHECK(cleared == blended);
    }
}

TEST_CASE("a large rounded box looks like one rounded rectangle, of every height") {
    for (const float scale : {1.0f, 1.5f, 2.0f}) {
        Screen screen({.scale = scale});
        for (const float height : {6.0f, 20.0f, 33.0f, 70.0f, 110.0f, 300.0f}) {
            CAPTURE(scale);
            CAPTURE(height);
            const ImVec2 min{40, 30}, max{640, 30 + height};
            const Pixels cleared = seen(screen, [&](const Ui& ui) { draw::card(ui, min, max); });
            const Pixels box = seen(screen, [&](const Ui& ui) {
                ui.list()->AddRectFilled(min, max, ui.theme->card, std::min(8 * ui.scale, height / 2));
                draw::rounded_box(ui, min, max, 0, ui.theme->card_border, 8);
            });
            CHECK(cleared == box);
        }
    }
}

namespace {

/// Shapes, lines of whole and of broken widths, and text, over and under one another; more than one of each.
void draw_shapes(const Ui& ui) {
    ImDrawList& list = *ui.list();
    for (int i = 0; i < 60; ++i) {
        const float x = 20 + 14 * static_cast<float>(i), y = 40 + 3 * static_cast<float>(i % 9);
        list.AddRectFilled({x, y}, {x + 12.4f, y + 30},
                           mix(ui.theme->accent, ui.theme->selection, 0.016f * static_cast<float>(i)));
        list.AddRectFilled({x, y + 60}, {x + 20, y + 80}, with_alpha(ui.theme->accent, 0.3f), 5);
        list.AddCircle({x, y + 120}, 17, ui.theme->text, 0, 1 + 0.3f * static_cast<float>(i % 5));
    }
    for (int width = 1; width < 9; ++width) {
        std::vector<ImVec2> points;
        for (int i = 0; i < 60; ++i) {
            const float t = static_cast<float>(i) / 59;
            points.push_back({30 + 800 * t, 230 + 30 * static_cast<float>(width) + 60 * std::sin(6 * t)});
        }
        draw::line(ui, points, with_alpha(ui.theme->text, 0.4f), static_cast<float>(width));
        draw::text(ui, {60, 250 + 30 * static_cast<float>(width)}, "over the lines", {FontRole::body});
        for (ImVec2& p : points) p.y += 13;
        draw::line(ui, points, ui.theme->accent, static_cast<float>(width) + 0.35f);
    }
    draw::opaque_fill(ui, {500, 200}, {700, 260}, ui.theme->card);
    draw::rounded_box(ui, {520, 210}, {900, 560}, ui.theme->card, ui.theme->card_border, 8);
}

}  // namespace

TEST_CASE("what is drawn without a picture looks as Dear ImGui draws it, and the lists stay as they are") {
    for (const float scale : {1.0f, 1.7f}) {
        Screen screen({.scale = scale});
        const Pixels drawn = seen(screen, draw_shapes);
        ImDrawData& frame = *ImGui::GetDrawData();
        const int commands = frame.CmdLists[0]->CmdBuffer.Size;
        const auto again = [&](const std::function<void()>& paint) {
            screen.surface->bind_target();
            const ImVec4 back = ImGui::ColorConvertU32ToFloat4(screen.host.ui().theme->background);
            glDisable(GL_SCISSOR_TEST);
            glClearColor(back.x, back.y, back.z, 1);
            glClear(GL_COLOR_BUFFER_BIT);
            paint();
            return screen.surface->read().rgba;
        };
        FramePainter painter;
        const Pixels painted = again([&] { painter.paint(frame); });
        CHECK(painter.plain_triangles() > 3000);
        CHECK(frame.CmdLists[0]->CmdBuffer.Size == commands);
        CHECK(painted == drawn);
        const Pixels by_imgui = again([&] { ImGui_ImplOpenGL3_RenderDrawData(&frame); });
        int largest = 0;
        for (std::size_t i = 0; i < drawn.size(); ++i)
            largest = std::max(largest, std::abs(static_cast<int>(drawn[i]) - static_cast<int>(by_imgui[i])));
        CHECK(largest <= 2);
    }
}
