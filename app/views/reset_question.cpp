#include "app/views/reset_question.h"

#include <algorithm>
#include <cmath>
#include <string_view>

#include "app/window/input.h"

namespace glassformer::app {

void draw_reset_question(const Frame& frame, bool asked, ImVec2 at) {
    const Ui& ui = frame.ui;
    if (asked && frame.snapshot.live_step == 0)
        frame.send(command::Reset{});
    else if (asked)
        ImGui::OpenPopup("##reset");
    if (!ImGui::IsPopupOpen("##reset")) return;
    constexpr std::string_view question = "Start over from step 0 with fresh weights?";
    const float pad = ui.px(14), height = ui.px(30), line = ui.line(FontRole::body);
    const float width = std::min(std::ceil(draw::text_size(ui, question).x) + ui.px(2),
                                 ImGui::GetIO().DisplaySize.x - 2 * pad - ui.px(16));
    const float lines = draw::text_size(ui, question).x > width ? 2.6f : 1.0f;
    const ImVec2 size = {width + 2 * pad, 2 * pad + line * lines + ui.px(10) + height};
    ImGui::SetNextWindowPos(
        {std::max(ui.px(8), std::min(at.x, ImGui::GetIO().DisplaySize.x - size.x - ui.px(8))), at.y});
    ImGui::SetNextWindowSize(size);
    ImGui::PushStyleVar(ImGuiStyleVar_WindowPadding, ImVec2(pad, pad));
    if (ImGui::BeginPopup("##reset", ImGuiWindowFlags_NoMove | ImGuiWindowFlags_NoScrollbar)) {
        const ImVec2 from = ImGui::GetCursorScreenPos();
        draw::text_wrapped(ui, from, width, question);
        ImVec2 place = {from.x, from.y + line * lines + ui.px(10)};
        ButtonStyle danger;
        danger.tone = Tone::danger;
        const bool yes = chip(ui, "reset/confirm", place, height, "Reset", danger).clicked;
        const bool no = chip(ui, "reset/cancel", place, height, "Cancel").clicked;
        if (yes) frame.send(command::Reset{});
        if (yes || no || key_pressed(Key::escape)) ImGui::CloseCurrentPopup();
        ImGui::EndPopup();
    }
    ImGui::PopStyleVar();
}

}  // namespace glassformer::app
