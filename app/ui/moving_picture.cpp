#include "app/ui/moving_picture.h"

#include <deque>
#include <utility>

namespace glassformer::app::draw {

namespace {

// Marks: they do nothing where nobody looks for them.
void begins(const ImDrawList*, const ImDrawCmd*) {}
void ends(const ImDrawList*, const ImDrawCmd*) {}

/// Of one frame: the commands point into it. ImGui's thread is the only one that draws.
struct Pictures {
    int frame = -1;
    std::deque<MovingPicture> all;
};
Pictures& pictures() {
    static thread_local Pictures kept;
    if (std::exchange(kept.frame, ImGui::GetFrameCount()) != kept.frame) kept.all.clear();
    return kept;
}

}  // namespace

void begin_moving_picture(const Ui& ui, MovingPicture picture) {
    std::deque<MovingPicture>& all = pictures().all;
    all.push_back(std::move(picture));
    ui.list()->AddCallback(begins, &all.back());
}

void end_moving_picture(const Ui& ui) { ui.list()->AddCallback(ends, nullptr); }

const MovingPicture* begins_moving_picture(const ImDrawCmd& command) {
    return command.UserCallback == begins ? static_cast<const MovingPicture*>(command.UserCallbackData) : nullptr;
}

bool ends_moving_picture(const ImDrawCmd& command) { return command.UserCallback == ends; }

}  // namespace glassformer::app::draw
