#include "app/ui/opened_part.h"

#include <imgui.h>

#include <algorithm>

namespace glassformer::app {

bool OpenedPart::draw(bool open, const Box& box) {
    constexpr int settling = 3;  // frames until the region has grown
    if (open && !was_open_) frames_ = settling;
    if (!open) frames_ = 0;
    was_open_ = open;
    if (frames_ == 0) return false;
    --frames_;
    const float top = ImGui::GetWindowPos().y, bottom = top + ImGui::GetWindowHeight();
    float by = std::min(box.max.y - bottom, box.min.y - top);  // its top has priority
    if (by < 0) by = std::min(0.0f, box.min.y - top);
    if (by != 0) ImGui::SetScrollY(ImGui::GetScrollY() + by);
    return frames_ > 0;
}

}  // namespace glassformer::app
