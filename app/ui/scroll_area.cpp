#include "app/ui/scroll_area.h"

namespace glassformer::app {

ScrollArea::ScrollArea(const Ui& ui, const char* id, const Box& box, float content_height) : content_(box) {
    if (content_height <= box.height() + 0.5f) return;
    const ImVec2 at = window_.emplace(ui, id, box, ChildWindow::Kind::scrolls).start();
    const float bar = ImGui::GetStyle().ScrollbarSize + ui.px(2);
    content_ = {at, {at.x + box.width() - bar, at.y + content_height}};
    window_->reaches({at.x + 1, content_.max.y});
}

}  // namespace glassformer::app
