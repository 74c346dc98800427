#include <initializer_list>

#include "app/ui/draw.h"

namespace glassformer::app::draw {

namespace {

/// Draws an icon's parts: x and y run from -1 to 1 about its centre.
struct Pen {
    ImDrawList* list;
    ImVec2 centre;
    float half;
    ImU32 colour;
    float width;

    ImVec2 at(float x, float y) const { return {centre.x + x * half, centre.y + y * half}; }
    void triangle(float x0, float x1) const {  // pointing from x0 to x1
        if (x0 < x1) {
            list->AddTriangleFilled(at(x0, -0.8f), at(x1, 0), at(x0, 0.8f), colour);
        } else {
            list->AddTriangleFilled(at(x0, -0.8f), at(x0, 0.8f), at(x1, 0), colour);
        }
    }
    void bar(float x, float half_width) const {
        list->AddRectFilled(at(x - half_width, -0.8f), at(x + half_width, 0.8f), colour, half * 0.12f);
    }
    void path(std::initializer_list<ImVec2> points) const {
        for (const ImVec2& p : points) list->PathLineTo(at(p.x, p.y));
        list->PathStroke(colour, 0, width);
    }
};

void restart(const Pen& pen) {
    pen.list->PathArcTo(pen.centre, pen.half * 0.75f, -0.9f, 4.3f, 24);
    pen.list->PathStroke(pen.colour, 0, pen.width);
    pen.list->AddTriangleFilled(pen.at(-0.75f, -0.95f), pen.at(0.15f, -0.7f), pen.at(-0.5f, -0.15f), pen.colour);
}

}  // namespace

void icon(const Ui& ui, Icon icon, ImVec2 centre, float size, ImU32 colour) {
    const Pen pen{ui.list(), centre, size / 2, colour, 1.6f * ui.scale};
    switch (icon) {
        case Icon::play:
            pen.triangle(-0.6f, 0.8f);
            break;
        case Icon::pause:
            pen.bar(-0.4f, 0.22f), pen.bar(0.4f, 0.22f);
            break;
        case Icon::step_back:
            pen.triangle(0.7f, -0.4f), pen.bar(-0.6f, 0.12f);
            break;
        case Icon::step_forward:
            pen.triangle(-0.7f, 0.4f), pen.bar(0.6f, 0.12f);
            break;
        case Icon::to_start:
            pen.triangle(0.9f, 0), pen.triangle(0, -0.8f), pen.bar(-0.85f, 0.1f);
            break;
        case Icon::to_end:
            pen.triangle(-0.9f, 0), pen.triangle(0, 0.8f), pen.bar(0.85f, 0.1f);
            break;
        case Icon::restart:
            restart(pen);
            break;
        case Icon::check:
            pen.path({{-0.7f, 0.05f}, {-0.2f, 0.55f}, {0.75f, -0.55f}});
            break;
        case Icon::close:
            pen.path({{-0.6f, -0.6f}, {0.6f, 0.6f}}), pen.path({{-0.6f, 0.6f}, {0.6f, -0.6f}});
            break;
        case Icon::menu:
            for (float y : {-0.6f, 0.0f, 0.6f}) pen.path({{-0.7f, y}, {0.7f, y}});
            break;
        case Icon::chevron_down:
            pen.path({{-0.6f, -0.3f}, {0, 0.35f}, {0.6f, -0.3f}});
            break;
        case Icon::chevron_right:
            pen.path({{-0.3f, -0.6f}, {0.35f, 0}, {-0.3f, 0.6f}});
            break;
        case Icon::plus:
            pen.path({{-0.7f, 0}, {0.7f, 0}}), pen.path({{0, -0.7f}, {0, 0.7f}});
            break;
        case Icon::search:
            pen.list->AddCircle(pen.at(-0.15f, -0.15f), pen.half * 0.55f, colour, 0, pen.width);
            pen.path({{0.28f, 0.28f}, {0.8f, 0.8f}});
            break;
    }
}

}  // namespace glassformer::app::draw
