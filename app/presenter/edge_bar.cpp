#include <algorithm>
#include <cmath>

#include "app/presenter/presenter.h"
#include "app/ui/child_window.h"

namespace glassformer::app {

namespace {

constexpr float seconds = 0.2f;                                         // from outside to inside
constexpr float strip_depth = 5, handle_length = 56, handle_depth = 3;  // pixels at 100 %

}  // namespace

Box EdgeBar::place(const Box& screen, float extent, float shown) const {
    const float in = std::round(extent * shown * shown * (3 - 2 * shown));
    switch (edge_) {
        case Edge::top:
            return screen.between_y(screen.min.y + in - extent, screen.min.y + in);
        case Edge::left:
            return screen.between_x(screen.min.x + in - extent, screen.min.x + in);
        case Edge::right:
            return screen.between_x(screen.max.x - in, screen.max.x - in + extent);
        default:
            return screen.between_y(screen.max.y - in, screen.max.y - in + extent);
    }
}

/// Returns what the pointer must touch: a thin strip at the edge, so that nobody triggers it in passing.
Box EdgeBar::strip(const Ui& ui, const Box& screen) const {
    const float depth = ui.px(strip_depth);
    switch (edge_) {
        case Edge::top:
            return screen.top(depth);
        case Edge::left:
            return screen.left(depth);
        case Edge::right:
            return screen.right(depth);
        default:
            return screen.bottom(depth);
    }
}

void EdgeBar::move(const Ui& ui, bool in) {
    const float goal = in ? 1.0f : 0.0f, step = ImGui::GetIO().DeltaTime / seconds;
    shown_ = ui.reduce_motion ? goal : shown_ + std::clamp(goal - shown_, -step, step);
    moving_ = shown_ != goal;
}

void EdgeBar::draw(const Frame& frame, const Box& screen, float extent, bool held, bool wanted,
                   const std::function<void(const Box&)>& content) {
    const Ui& ui = frame.ui;
    const Box edge = strip(ui, screen);
    ui.items->add(ui.items->format("edge/%s", name_), edge, item_state(shown_));
    const ImVec2 mouse = ImGui::GetIO().MousePos;
    const bool dragging = ImGui::IsMouseDown(ImGuiMouseButton_Left);
    const bool list_open = ImGui::IsPopupOpen("", ImGuiPopupFlags_AnyPopupId | ImGuiPopupFlags_AnyPopupLevel);
    const bool called = wanted && !dragging && !list_open && edge.contains(mouse);
    const bool kept = shown_ > 0 && (place(screen, extent, shown_).contains(mouse) || list_open || dragging);
    if (shown_ <= 0 || held || called) dismissed_ = false;
    move(ui, held || called || (kept && !dismissed_));
    if (shown_ <= 0) {  // a handle in the middle shows that something is there
        const ImVec2 c = edge.centre();
        const bool level = edge_ == Edge::top || edge_ == Edge::bottom;
        const ImVec2 half{ui.px(level ? handle_length : handle_depth) / 2,
                          ui.px(level ? handle_depth : handle_length) / 2};
        draw::rounded_box(ui, {{c.x - half.x, c.y - half.y}, {c.x + half.x, c.y + half.y}},
                          with_alpha(ui.theme->text_muted, 0.35f), 0, handle_depth / 2);
        return;
    }
    const Box box = place(screen, extent, shown_);
    const ChildWindow window(ui, name_, box, ChildWindow::Kind::overlay);
    ui.list()->AddRectFilled(box.min, box.max, ui.theme->card);
    content(box);
    ui.list()->AddRect(box.min, box.max, ui.theme->card_border, 0, 0, ui.px(1));
}

}  // namespace glassformer::app
