#include <imgui.h>
// imgui.h comes first: imgui_stdlib.h leans on it
#include <imgui_stdlib.h>

#include <algorithm>
#include <cmath>
#include <string>

#include "app/ui/controls.h"

namespace glassformer::app {

bool text_field(const Ui& ui, std::string_view label, ImVec2 min, ImVec2 max, std::string& text, std::string_view hint,
                bool* submitted, bool select_all) {
    ui.items->add(label, min, max, std::nullopt, text);
    const ImGuiID id = ImGui::GetID(label.data(), label.data() + label.size());
    const bool focused = ui.focus->offer(id);
    ImGui::PushID(label.data(), label.data() + label.size());
    push_font(*(*ui.fonts)[FontRole::body]);
    const float pad_y = std::max(0.0f, std::floor((max.y - min.y - ui.line(FontRole::body)) / 2));
    ImGui::PushStyleVar(ImGuiStyleVar_FramePadding, ImVec2(ui.px(10), pad_y));
    ImGui::SetCursorScreenPos(min);
    ImGui::SetNextItemWidth(max.x - min.x);
    if (ui.focus->activated(id)) ImGui::SetKeyboardFocusHere();
    const std::string before = text;
    const ImGuiInputTextFlags flags =
        ImGuiInputTextFlags_EnterReturnsTrue | (select_all ? ImGuiInputTextFlags_AutoSelectAll : 0);
    const bool entered = ImGui::InputTextWithHint("##text", std::string(hint).c_str(), &text, flags);
    if (submitted) *submitted = entered;
    if (focused || ImGui::IsItemActive()) draw::rounded_box(ui, min, max, 0, ui.theme->focus, 6, 2);
    ImGui::PopStyleVar();
    ImGui::PopFont();
    ImGui::PopID();
    return text != before;
}

}  // namespace glassformer::app
