#include <cmath>

#include "app/language/tr.h"
#include "app/panels/runs/run_branch.h"
#include "app/panels/runs/run_panel.h"
#include "app/panels/timeline/timeline_drawing.h"
#include "app/panels/timeline/timeline_state.h"
#include "app/ui/number_text.h"

namespace glassformer::app {

namespace {

constexpr float bar_height = 42, trouble_button_height = 28;  // pixels at 100 %

void go_back(const Frame& frame, std::int64_t step) {
    stop_film(frame.state);
    frame.state.own<TravelState>().step = -1;
    frame.send(command::LookAt{step});
}

}  // namespace

bool has_trouble(const Frame& frame) {
    const auto& trouble = frame.snapshot.trouble;
    return trouble && frame.state.own<TimelineState>().trouble_dismissed != trouble;
}

float trouble_bar_height(const Ui& ui) { return ui.px(bar_height); }

void draw_trouble_bar(const Frame& frame, const Box& box) {
    const Ui& ui = frame.ui;
    const Theme& t = *ui.theme;
    const Trouble& trouble = *frame.snapshot.trouble;
    draw::rounded_box(ui, box.min, box.max, t.danger_tint, t.danger, 8);
    const std::string back = filled(tr("Go back to step {1}"), {grouped(trouble.last_kept)});
    constexpr std::string_view branch = N_("Branch there with a tenth of the learning rate");
    const float height = ui.px(trouble_button_height), gap = ui.px(6), pad = ui.px(12);
    const float buttons = chip_width(ui, back) + chip_width(ui, tr(branch)) + height + 3 * gap;
    ImVec2 at{box.max.x - pad - buttons, std::round((box.min.y + box.max.y - height) / 2)};
    const std::string_view text =
        ui.items->format(tr("Training stopped at step %s: %s"), grouped(trouble.step).c_str(), trouble.text.c_str());
    const ImVec2 text_max{at.x - pad, box.max.y};
    const bool cut = draw::text_in(ui, {box.min.x + pad, box.min.y}, text_max, text, {FontRole::body, t.danger_text});
    ui.items->add("trouble", box.min, text_max, static_cast<double>(trouble.step), text);
    if (cut && draw::hovered(box.min, text_max)) draw::tooltip(ui, box.min, text_max, text);
    ButtonStyle style;
    style.tooltip = tr("The last kept step\nAll its numbers are finite.");
    if (chip(ui, "trouble/back", at, height, back, style)) go_back(frame, trouble.last_kept);
    style.tooltip = tr("Try again from there\nSmaller steps often avoid the problem.");
    if (chip(ui, "trouble/branch", at, height, tr(branch), style)) branch_from_trouble(frame, trouble);
    style.tone = Tone::danger;
    style.icon = static_cast<int>(draw::Icon::close);
    style.tooltip = tr("Dismiss");
    if (button(ui, "trouble/dismiss", at, {at.x + height, at.y + height}, {}, style))
        frame.state.own<TimelineState>().trouble_dismissed = frame.snapshot.trouble;
}

}  // namespace glassformer::app
