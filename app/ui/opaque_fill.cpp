#include "app/ui/opaque_fill.h"

#include <epoxy/gl.h>

#include <cmath>
#include <cstdint>

namespace glassformer::app::draw {

namespace {

// Called when the frame is drawn: the command's clip rectangle is the area, its user data the colour. Fractional edges
// are rounded as ImGui's backend rounds clip rectangles.
void clear_area(const ImDrawList*, const ImDrawCmd* command) {
    const ImDrawData& frame = *ImGui::GetDrawData();
    const ImVec2 origin = frame.DisplayPos, scale = frame.FramebufferScale;
    const ImVec4& clip = command->ClipRect;
    const ImVec4 area{(clip.x - origin.x) * scale.x, (clip.y - origin.y) * scale.y, (clip.z - origin.x) * scale.x,
                      (clip.w - origin.y) * scale.y};
    if (area.z <= area.x || area.w <= area.y) return;
    const auto colour = static_cast<ImU32>(reinterpret_cast<std::uintptr_t>(command->UserCallbackData));
    const ImVec4 c = ImGui::ColorConvertU32ToFloat4(colour);
    glScissor(static_cast<GLint>(area.x), static_cast<GLint>(frame.DisplaySize.y * scale.y - area.w),
              static_cast<GLint>(area.z - area.x), static_cast<GLint>(area.w - area.y));  // ImGui's own follows
    glClearColor(c.x, c.y, c.z, 1);
    glClear(GL_COLOR_BUFFER_BIT);
}

}  // namespace

void opaque_fill(const Ui& ui, const Box& box, ImU32 colour) {
    const auto whole = [](ImVec2 p) { return ImVec2(std::floor(p.x + 0.5f), std::floor(p.y + 0.5f)); };
    ImDrawList& list = *ui.list();
    list.PushClipRect(whole(box.min), whole(box.max), true);
    list.AddCallback(clear_area, reinterpret_cast<void*>(static_cast<std::uintptr_t>(colour)));
    list.PopClipRect();
}

std::optional<ImU32> opaque_colour(const ImDrawCmd& command) {
    if (command.UserCallback != clear_area) return std::nullopt;
    return static_cast<ImU32>(reinterpret_cast<std::uintptr_t>(command.UserCallbackData));
}

}  // namespace glassformer::app::draw
