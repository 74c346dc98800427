#include <algorithm>
#include <cmath>

#include "app/lessons/lesson_view.h"
#include "app/ui/child_window.h"

namespace glassformer::app {

namespace {

/// Returns where an item can be visible: inside the panels and all scroll areas around it.
Box seen_part(const Items& items, const Item& item, const Box& panels) {
    Box seen = panels;
    for (int at = item.area; at >= 0; at = items.areas()[at].outer) seen = seen.overlap(items.areas()[at]);
    return seen;
}

/// A highlighted item counts as visible if its middle is. An item to cover counts if even an edge is.
enum class Counts { middle, any_part };

bool is_seen(const Box& item, const Box& seen, Counts counts) {
    const ImVec2 c{item.middle_x(), item.middle_y()};
    if (c.x >= seen.min.x && c.x <= seen.max.x && c.y >= seen.min.y && c.y <= seen.max.y) return true;
    const Box both = item.overlap(seen);
    return counts == Counts::any_part && both.width() >= 1 && both.height() >= 1;
}

/// Returns the bounding box of the visible items among those named; empty (min.x > max.x) if there are none.
Box joined(const Items& items, std::string_view labels, const Box& panels, Counts counts) {
    Box all{{1e9f, 1e9f}, {-1e9f, -1e9f}};
    for (const std::string_view label : joined_labels(labels)) {
        const Item* item = items.find(label);
        if (!item) continue;
        const Box seen = seen_part(items, *item, panels);
        if (!is_seen({item->min, item->max}, seen, counts)) continue;
        all.min = {std::min(all.min.x, item->min.x), std::min(all.min.y, std::max(item->min.y, seen.min.y))};
        all.max = {std::max(all.max.x, item->max.x), std::max(all.max.y, std::min(item->max.y, seen.max.y))};
    }
    return all;
}

/// Dims everything but the holes, with rectangles between their edges that touch and never overlap.
void dim_around(ImDrawList* list, const Box& panels, const std::vector<Box>& holes, ImU32 colour) {
    std::vector<float> xs{panels.min.x, panels.max.x}, ys{panels.min.y, panels.max.y};
    for (const Box& hole : holes) {
        xs.insert(xs.end(), {hole.min.x, hole.max.x});
        ys.insert(ys.end(), {hole.min.y, hole.max.y});
    }
    std::ranges::sort(xs);
    std::ranges::sort(ys);
    for (std::size_t i = 0; i + 1 < xs.size(); ++i)
        for (std::size_t j = 0; j + 1 < ys.size(); ++j) {
            const float x = (xs[i] + xs[i + 1]) / 2, y = (ys[j] + ys[j + 1]) / 2;
            const bool hole = std::ranges::any_of(
                holes, [&](const Box& h) { return x > h.min.x && x < h.max.x && y > h.min.y && y < h.max.y; });
            if (!hole && xs[i + 1] > xs[i] && ys[j + 1] > ys[j])
                list->AddRectFilled({xs[i], ys[j]}, {xs[i + 1], ys[j + 1]}, colour);
        }
}

/// Draws a blank card with a question mark over the answer.
void cover(const Ui& ui, const Box& box) {
    draw::rounded_box(ui, box.inset(-1), ui.theme->card, 0, 4);
    draw::text_in(ui, box, "?", {FontRole::body_bold, ui.theme->text_muted, draw::Align::centre});
}

void glow(const Ui& ui, const Box& box) {
    const ImU32 colour = ui.theme->focus;
    for (int ring = 3; ring >= 1; --ring) {
        const float out = ui.px(2) * static_cast<float>(ring);
        ui.list()->AddRect({box.min.x - out, box.min.y - out}, {box.max.x + out, box.max.y + out},
                           with_alpha(colour, 0.28f - 0.07f * static_cast<float>(ring)), ui.px(6) + out, 0, ui.px(2));
    }
    ui.list()->AddRect(box.min, box.max, colour, ui.px(6), 0, ui.px(2));
}

}  // namespace

void draw_lesson_lights(const Frame& frame, const LessonRunner& lessons, const Box& panels) {
    if (!lessons.on_screen() || frame.state.window.help) return;
    const Ui& ui = frame.ui;
    const float air = ui.px(4), air_above = ui.px(1);  // less above, so as not to cut a heading
    std::vector<Box> boxes;
    for (const std::string& light : lessons.lights()) {
        const Box box = joined(*ui.items, light, panels, Counts::middle);
        if (box.min.x > box.max.x) continue;
        boxes.push_back({{std::floor(std::max(box.min.x - air, panels.min.x + 2)),
                          std::floor(std::max(box.min.y - air_above, panels.min.y + 2))},
                         {std::ceil(std::min(box.max.x + air, panels.max.x - 2)),
                          std::ceil(std::min(box.max.y + air_above, panels.max.y - 2))}});
        ui.items->add("lesson/light", boxes.back(), std::nullopt, light);
    }
    std::vector<Box> covered;
    for (const std::string& hide : lessons.hides())
        if (const Box box = joined(*ui.items, hide, panels, Counts::any_part); box.min.x <= box.max.x)
            covered.push_back(box.above(std::min(box.max.y, panels.max.y)));
    const LessonSecrets& secrets = frame.state.own<LessonSecrets>();
    // Cover the secret numbers wherever a view, a legend or a list has drawn them.
    for (const Item& item : ui.items->all()) {
        if (!secrets.any()) break;
        if (!item.value || item.label.starts_with("lesson") || !secrets.holds(*item.value)) continue;
        const Box seen = seen_part(*ui.items, item, panels);
        const Box whole = item;
        if (is_seen(whole, seen, Counts::any_part)) covered.push_back(whole.overlap(seen));
    }
    // On top of a large cover, small ones would show where the points of a curve are.
    const auto lies_in_another = [&](const Box& box) {
        return std::ranges::any_of(covered, [&](const Box& other) {
            return other.width() > box.width() && other.height() > box.height() && other.min.x <= box.min.x &&
                   other.min.y <= box.min.y && other.max.x >= box.max.x && other.max.y >= box.max.y;
        });
    };
    std::vector<Box> covers;
    std::ranges::remove_copy_if(covered, std::back_inserter(covers), lies_in_another);
    covered = std::move(covers);
    for (const Box& box : covered) ui.items->add("lesson/covered", box);
    if (boxes.empty() && covered.empty()) return;
    // Above the panels and their scroll areas; ignores the mouse.
    const ChildWindow window(ui, "##lesson lights", panels, ChildWindow::Kind::mouse_through);
    const bool dark = ui.theme->kind == ThemeKind::dark;
    if (!boxes.empty())
        dim_around(ui.list(), panels, boxes,
                   with_alpha(dark ? IM_COL32(0, 0, 0, 255) : ui.theme->text, dark ? 0.26f : 0.10f));
    for (const Box& box : covered) cover(ui, box);
    for (const Box& box : boxes) glow(ui, box);
}

}  // namespace glassformer::app
