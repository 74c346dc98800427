#include "app/ui/opaque_fill.h"

#include <epoxy/gl.h>

#include <cmath>
#include <cstdint>

namespace glassformer::app::draw {

namespace {

// Called when the frame is drawn: the command's clip rectangle is the area, its data is the colour.
void clear_area(const ImDrawList*, const ImDrawCmd* command) {
    const ImDrawData& frame = *ImGui::GetDrawData();
    const ImVec4& area = command->ClipRect;
    const auto pixel = [](float at, float origin, float scale) { return static_cast<GLint>((at - origin) * scale); };
    const GLint left = pixel(area.x, frame.DisplayPos.x, frame.FramebufferScale.x),
                top = pixel(area.y, frame.DisplayPos.y, frame.FramebufferScale.y),
                right = pixel(area.z, frame.DisplayPos.x, frame.FramebufferScale.x),
                bottom = pixel(area.w, frame.DisplayPos.y, frame.FramebufferScale.y),
                height = static_cast<GLint>(frame.DisplaySize.y * frame.FramebufferScale.y);
    if (right <= left || bottom <= top) return;
    const auto colour = static_cast<ImU32>(reinterpret_cast<std::uintptr_t>(command->UserCallbackData));
    const ImVec4 c = ImGui::ColorConvertU32ToFloat4(colour);
    glScissor(left, height - bottom, right - left, bottom - top);  // ImGui sets it again for what follows
    glClearColor(c.x, c.y, c.z, 1);
    glClear(GL_COLOR_BUFFER_BIT);
}

}  // namespace

void opaque_fill(const Ui& ui, ImVec2 min, ImVec2 max, ImU32 colour) {
    const auto whole = [](ImVec2 p) { return ImVec2(std::floor(p.x + 0.5f), std::floor(p.y + 0.5f)); };
    ImDrawList& list = *ui.list();
    list.PushClipRect(whole(min), whole(max), true);
    list.AddCallback(clear_area, reinterpret_cast<void*>(static_cast<std::uintptr_t>(colour)));
    list.PopClipRect();
}

std::optional<ImU32> opaque_colour(const ImDrawCmd& command) {
    if (command.UserCallback != clear_area) return std::nullopt;
    return static_cast<ImU32>(reinterpret_cast<std::uintptr_t>(command.UserCallbackData));
}

}  // namespace glassformer::app::draw
