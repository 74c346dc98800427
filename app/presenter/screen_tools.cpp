#include "app/presenter/screen_tools.h"

#include <cmath>

#include "app/ui/child_window.h"
#include "app/ui/imgui_versions.h"

namespace glassformer::app {

namespace {

// Pixels at 100 %, except for shares.
constexpr float light_radius = 96, light_edge = 14, dark_share = 0.62f, lens_radius = 130, lens_times = 2, ring = 2,
                prepared_share = 0.18f, prepared_margin = 16, key_pad = 6;

/// Darkens everything but a disc, with a soft edge: rings that start where the light ends.
void draw_spotlight(const Ui& ui, ImDrawList& list, const Box& screen) {
    const ImVec2 at = ImGui::GetIO().MousePos;
    if (!ImGui::IsMousePosValid(&at)) return;
    constexpr int steps = 6, corners = 96;
    const float reach = std::hypot(screen.width(), screen.height());
    float left = 1;  // share of light outside of the rings so far
    for (int i = 1; i <= steps; ++i) {
        const float goal = 1 - dark_share * static_cast<float>(i) / steps, alpha = 1 - goal / left;
        const float inner = ui.px(light_radius) + ui.px(light_edge) * static_cast<float>(i - 1) / (steps - 1);
        list.AddCircle(at, inner + reach / 2, with_alpha(IM_COL32_BLACK, alpha), corners, reach);
        left = goal;
    }
    ui.items->add("screen/spotlight", {at, at});
}

constexpr float width = 3, least_step = 1.5f;  // pixels at 100 %; pixels

}  // namespace

void ScreenTools::freeze(bool on) {
    frozen_ = on;
    still_.forget();
}

/// The frame in which freezing starts is still drawn; from the next one on, its picture covers everything.
void ScreenTools::draw_frozen(const Ui& ui, ImDrawList& list, const Box& screen) {
    if (still_.there())
        list.AddImage(still_.texture(), screen.min, screen.max, {0, 1}, {1, 0});  // OpenGL's rows start at the bottom
    else
        still_.take(list);
    ui.items->add("screen/frozen", screen);
}

void ScreenTools::draw_magnified(const Ui& ui, ImDrawList& list, const Box& screen) {
    const ImVec2 at = ImGui::GetIO().MousePos;
    if (!ImGui::IsMousePosValid(&at)) return;
    under_.take(list);
    const float radius = ui.px(lens_radius), seen = radius / lens_times;
    const auto place = [&](float dx, float dy) {
        return ImVec2((at.x + dx - screen.min.x) / screen.width(), 1 - (at.y + dy - screen.min.y) / screen.height());
    };
    const Box box{{at.x - radius, at.y - radius}, {at.x + radius, at.y + radius}};
    list.AddImageRounded(under_.texture(), box.min, box.max, place(-seen, -seen), place(seen, seen), IM_COL32_WHITE,
                         radius);
    list.AddCircle(at, radius, ui.theme->text_muted, 96, ui.px(ring));
    ui.items->add("screen/magnifier", box);
}

/// Draws the prepared picture, too small to read from the audience's seats, with the key that shows it.
void ScreenTools::draw_prepared(const Ui& ui, ImDrawList& list, const Box& screen) {
    const float space = ui.px(prepared_margin), width = std::round(screen.width() * prepared_share),
                height = std::round(width * screen.height() / screen.width());
    const ImVec2 max{screen.max.x - space, screen.max.y - space}, min{max.x - width, max.y - height};
    list.AddImage(behind_.texture(), min, max, {0, 1}, {1, 0});
    list.AddRect(min, max, ui.theme->selection, 0, 0, ui.px(ring));
    ImFont* font = (*ui.fonts)[FontRole::small_bold];
    const ImVec2 key = font->CalcTextSizeA(font_size(*font), 1e9f, 0, "F");
    const ImVec2 from{min.x, max.y - key.y - ui.px(ring)}, letter{from.x + ui.px(key_pad), from.y};
    list.AddRectFilled(from, {letter.x + key.x + ui.px(key_pad), max.y}, ui.theme->selection);
    list.AddText(font, font_size(*font), letter, Theme::text_on(ui.theme->selection), "F");
    if (click_area(ui, "screen/prepared", {min, max}).clicked) freeze(false);
}

void ScreenTools::draw(const Ui& ui, const Box& screen, bool alone) {
    ImDrawList& list = *ImGui::GetForegroundDrawList();
    if (spotlight) draw_spotlight(ui, list, screen);
    if (magnifier) draw_magnified(ui, list, screen);
    if (!covers()) return;
    behind_.take(list);
    if (frozen_) draw_frozen(ui, list, screen);
    if (blank) {
        list.AddRectFilled(screen.min, screen.max, IM_COL32_BLACK);
        ui.items->add("screen/blank", screen);
    }
    if (!alone) return;
    const ChildWindow window(ui, "##cover", screen, ChildWindow::Kind::overlay);
    if (!blank) draw_prepared(ui, list, screen);
}

void Pen::follow_mouse(const Box& box, std::vector<Stroke>& strokes) {
    if (!ImGui::IsMouseDown(ImGuiMouseButton_Left)) drawing_ = false;
    const bool begins = ImGui::IsWindowHovered() && ImGui::IsMouseClicked(ImGuiMouseButton_Left);
    if (begins) drawing_ = true, strokes.emplace_back();
    if (!drawing_ || strokes.empty()) return;
    const ImVec2 mouse = ImGui::GetIO().MousePos;
    const ImVec2 at{(mouse.x - box.min.x) / box.width(), (mouse.y - box.min.y) / box.height()};
    Stroke& stroke = strokes.back();
    const auto far = [&](ImVec2 last) {
        return std::hypot((at.x - last.x) * box.width(), (at.y - last.y) * box.height()) >= least_step;
    };
    if (stroke.empty() || far(stroke.back())) stroke.push_back(at);
}

void Pen::draw(const Ui& ui, const Box& box, const std::string& panel) {
    const auto known = strokes_.find(panel);
    if (!on) drawing_ = false;
    if (!on && (known == strokes_.end() || known->second.empty())) return;
    std::vector<Stroke>& strokes = strokes_[panel];
    const ChildWindow window(ui, "##pen", box, on ? ChildWindow::Kind::overlay : ChildWindow::Kind::mouse_through);
    if (on) follow_mouse(box, strokes);
    ui.items->add("pen", box, item_state(strokes.size()));
    ImDrawList& list = *ui.list();
    const float thick = ui.px(width);
    for (const Stroke& stroke : strokes) {
        for (const ImVec2& p : stroke) list.PathLineTo({box.min.x + p.x * box.width(), box.min.y + p.y * box.height()});
        list.PathStroke(ui.theme->key, 0, thick);
        for (const ImVec2& p : {stroke.front(), stroke.back()})  // round ends; a dot for a mere click
            list.AddCircleFilled({box.min.x + p.x * box.width(), box.min.y + p.y * box.height()}, thick / 2,
                                 ui.theme->key);
    }
}

}  // namespace glassformer::app
