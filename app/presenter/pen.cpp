#include "app/presenter/pen.h"

#include <cmath>

#include "app/ui/child_window.h"

namespace glassformer::app {

namespace {

constexpr float width = 3, least_step = 1.5f;  // pixels at 100 %; pixels

}  // namespace

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
        for (const ImVec2& p : {stroke.front(), stroke.back()})  // round ends; a dot where it was a click
            list.AddCircleFilled({box.min.x + p.x * box.width(), box.min.y + p.y * box.height()}, thick / 2,
                                 ui.theme->key);
    }
}

}  // namespace glassformer::app
