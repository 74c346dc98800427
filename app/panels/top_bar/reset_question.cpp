#include <algorithm>

#include "app/language/tr.h"
#include "app/panels/top_bar/top_bar_layout.h"
#include "app/ui/input.h"
#include "app/ui/popup_card.h"

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
    const float height = ui.px(30), width = std::min(ui.px(340), PopupCard::widest(ui)),
                text_height = draw::wrapped_height(ui, width, question) + ui.px(12);
    const PopupCard card(ui, "##reset", at, {width, text_height + height}, PopupCard::Side::below);
    if (!card) return;
    draw::text_wrapped(ui, card.inside().min, width, question);
    ImVec2 place = {card.inside().min.x, card.inside().min.y + text_height};
    const bool yes = chip(ui, "reset/confirm", place, height, tr("Reset"), {.tone = Tone::danger}).clicked;
    const bool no = chip(ui, "reset/cancel", place, height, tr("Cancel")).clicked;
    if (yes) frame.send(command::Reset{});
    if (yes || no || key_pressed(Key::escape)) ImGui::CloseCurrentPopup();
}

}  // namespace glassformer::app
