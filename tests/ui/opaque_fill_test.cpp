#include "app/ui/opaque_fill.h"

#include <doctest/doctest.h>

#include <algorithm>

#include "app/ui/draw.h"
#include "tests/ui/harness.h"

using namespace glassformer::app;

namespace {

using Pixels = decltype(Image::rgba);

Pixels seen(Screen& screen, const std::function<void(const Ui&)>& draw) {
    screen.draw = draw;
    screen.frame();
    return screen.surface->read().rgba;
}

using Fill = std::function<void(const Ui&, const Box&, ImU32)>;

void as_rectangle(const Ui& ui, const Box& box, ImU32 colour) { ui.list()->AddRectFilled(box.min, box.max, colour); }

/// Draws areas over and under other shapes, clipped, across the edges of the screen, and empty.
void draw_areas(const Ui& ui, const Fill& fill) {
    ui.list()->AddRectFilled({100, 100}, {300, 300}, IM_COL32(200, 30, 30, 255));
    fill(ui, {{200, 200}, {500, 400}}, ui.theme->card);
    ui.list()->AddCircleFilled({350, 300}, 40, ui.theme->accent);
    ui.list()->PushClipRect({600, 50}, {700, 90});
    fill(ui, {{580, 20}, {650, 300}}, ui.theme->selection | IM_COL32_A_MASK);
    ui.list()->PopClipRect();
    fill(ui, {{900, 550}, {1200, 900}}, ui.theme->accent | IM_COL32_A_MASK);
    fill(ui, {{-50, -50}, {10, 12}}, ui.theme->accent | IM_COL32_A_MASK);
    fill(ui, {{400, 20}, {400, 60}}, ui.theme->accent);
    draw::text(ui, {210, 210}, "over it", {FontRole::body});
}

}  // namespace

TEST_CASE("an area cleared with opaque_fill looks like a filled rectangle") {
    for (const ThemeKind theme : {ThemeKind::light, ThemeKind::dark}) {
        Screen screen({.theme = theme});
        const Pixels blended = seen(screen, [](const Ui& ui) { draw_areas(ui, as_rectangle); });
        const Pixels without = seen(screen, [](const Ui&) {});
        const Pixels cleared = seen(screen, [](const Ui& ui) { draw_areas(ui, draw::opaque_fill); });
        CHECK(blended != without);
        CHECK(cleared == blended);
    }
}

TEST_CASE("a large card looks like one rounded rectangle, at every height") {
    for (const float scale : {1.0f, 1.5f, 2.0f}) {
        Screen screen({.scale = scale});
        for (const float height : {6.0f, 20.0f, 33.0f, 70.0f, 110.0f, 300.0f}) {
            CAPTURE(scale);
            CAPTURE(height);
            const ImVec2 min{40, 30}, max{640, 30 + height};
            const Pixels cleared = seen(screen, [&](const Ui& ui) { draw::card(ui, {min, max}); });
            const Pixels box = seen(screen, [&](const Ui& ui) {
                ui.list()->AddRectFilled(min, max, ui.theme->card, std::min(8 * ui.scale, height / 2));
                draw::rounded_box(ui, {min, max}, 0, ui.theme->card_border, 8);
            });
            CHECK(cleared == box);
        }
    }
}
