#include <algorithm>

#include "app/language/tr.h"
#include "app/panels/top_bar/top_bar_layout.h"
#include "app/ui/input.h"

namespace glassformer::app {

void draw_reset_question(const Frame& frame, bool asked, ImVec2 at) {
    const Ui& ui = frame.ui;
    if (asked && frame.snapshot.live_step == 0)
        frame.send(command::Reset{});
    else if (asked)
        ImGui::OpenPopup("##reset");
    if (!ImGui::IsPopupOpen("##reset")) return;
    const RunInfo* run = frame.snapshot.current_run();
    const std::string question =
        run && run->kept()
            ? filled(tr("Start over from step 0 with new random weights? The training so far stays in {1}. The new "
                        "training is not saved until you save it."),
                     {run->folder})
            : tr("Start over from step 0 with new random weights? The trained model and its curve will be lost. You "
                 "can open a shipped model again from the list of worlds.");
    const float pad = ui.px(14), height = ui.px(30);
    const ImVec2 screen = ImGui::GetIO().DisplaySize;
    const float edge = ui.px(8), width = std::min(ui.px(340), screen.x - 2 * pad - 2 * edge);
    const float text_height = draw::wrapped_height(ui, width, question) + ui.px(12);
    const ImVec2 wanted = {width + 2 * pad, 2 * pad + text_height + height};
    const bool cut = wanted.y > screen.y - 2 * edge;
    const ImVec2 size = {wanted.x, cut ? screen.y - 2 * edge : wanted.y};
    ImGui::SetNextWindowPos({std::max(edge, std::min(at.x, screen.x - size.x - edge)),
                             std::max(edge, std::min(at.y, screen.y - size.y - edge))});
    ImGui::SetNextWindowSize(size);
    ImGui::PushStyleVar(ImGuiStyleVar_WindowPadding, ImVec2(pad, pad));
    if (ImGui::BeginPopup("##reset", ImGuiWindowFlags_NoMove | (cut ? 0 : ImGuiWindowFlags_NoScrollbar))) {
        const ImVec2 from = ImGui::GetCursorScreenPos();
        draw::text_wrapped(ui, from, width, question);
        ImVec2 place = {from.x, from.y + text_height};
        ButtonStyle danger;
        danger.tone = Tone::danger;
        const bool yes = chip(ui, "reset/confirm", place, height, tr("Reset"), danger).clicked;
        const bool no = chip(ui, "reset/cancel", place, height, tr("Cancel")).clicked;
        if (yes) frame.send(command::Reset{});
        if (yes || no || key_pressed(Key::escape)) ImGui::CloseCurrentPopup();
        ImGui::EndPopup();
    }
    ImGui::PopStyleVar();
}

}  // namespace glassformer::app
