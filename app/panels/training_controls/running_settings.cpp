#include <string>

#include "app/language/sentences.h"
#include "app/language/tr.h"
#include "app/panels/setup/setup_sections.h"
#include "app/panels/setup/setup_state.h"
#include "app/panels/training_controls/running_controls.h"
#include "app/ui/input.h"
#include "app/ui/popup_card.h"
#include "app/ui/scroll_page.h"
#include "core/base/error.h"

namespace glassformer::app {

namespace {

constexpr float card_width = 330, card_height = 532, foot_height = 76, title_height = 34;  // pixels at 100 %

/// Returns why a training cannot continue with this setup, in a sentence; empty if it can.
std::string refusal_of(const TrainingSetup& setup) {
    try {
        validate(setup.config);
        validate(setup.options);
    } catch (const Error& e) {
        return tr(e);
    }
    return "";
}

void draw_foot(const Frame& frame, const TrainingSetup& now, const Box& box) {
    const Ui& ui = frame.ui;
    const TrainingSetup& changed = frame.state.own<RunningState>().changed;
    const std::string refusal = refusal_of(changed);
    const bool other = !same_setup(now, changed);
    const std::string what = !refusal.empty() ? refusal
                             : other ? filled(tr("From the next step on: {1}."), {describe_change(now, changed)})
                                     : tr("No changes yet.");
    const float top = box.min.y + ui.px(4);
    const Box text = box.between_y(top, top + 2 * ui.line(FontRole::small));
    draw::text_in(ui, text.top(ui.px(22)), what,
                  {FontRole::small, refusal.empty() ? ui.theme->text_muted : ui.theme->danger_text});
    ui.items->add("settings/change", text, item_state(other ? 1 : 0), what);
    if (draw::hovered(text)) draw::tip(ui, text, what);
    const ButtonStyle style{.tone = Tone::primary, .enabled = refusal.empty() && other};
    ImVec2 at{box.min.x, box.max.y - ui.px(34)};
    if (chip(ui, "settings/apply", at, ui.px(30), tr("Apply from now on"), style)) {
        frame.send(command::ChangeSetup{changed});
        ImGui::CloseCurrentPopup();
    }
    if (chip(ui, "settings/cancel", at, ui.px(30), tr("Cancel")) || key_pressed(Key::escape))
        ImGui::CloseCurrentPopup();
}

void draw_settings_card(const Frame& frame, const RunInfo& run, const Box& card) {
    const Ui& ui = frame.ui;
    draw::text_in(ui, card.top(ui.px(title_height - 8)), filled(tr("Settings of {1}"), {run.name}),
                  {FontRole::body_bold});
    const Box body{{card.min.x - ui.px(12), card.min.y + ui.px(title_height)},
                   {card.max.x + ui.px(12), card.max.y - ui.px(foot_height)}};
    {
        ScrollPage page(ui, "##settings fields", body);
        page.reaches(
            draw_training_fields(frame, page.inside(), "settings", frame.state.own<RunningState>().changed, false));
    }
    draw_foot(frame, run.setup, card.bottom(ui.px(foot_height)));
}

}  // namespace

void draw_settings_card(const Frame& frame, bool asked, ImVec2 at) {
    const RunInfo* run = frame.snapshot.current_run();
    if (!run) return;
    if (asked) {
        frame.state.own<RunningState>().changed = run->setup;
        ImGui::OpenPopup("##settings");
    }
    const PopupCard card(frame.ui, "##settings", at, {frame.ui.px(card_width), frame.ui.px(card_height)},
                         PopupCard::Side::above);
    if (card) draw_settings_card(frame, *run, card.inside());
}

}  // namespace glassformer::app
