#include <algorithm>
#include <cmath>

#include "app/language/sentences.h"
#include "app/language/tr.h"
#include "app/panels/runs/run_branch.h"
#include "app/panels/runs/run_panel.h"
#include "app/panels/timeline/timeline_state.h"
#include "core/base/number_text.h"

namespace glassformer::app {

namespace {

constexpr float bar_height = 42, trouble_button_height = 28, pad = 12, air = 8, least_text = 300;  // pixels at 100 %

void go_back(const Frame& frame, std::int64_t step) {
    stop_film(frame.state);
    frame.state.own<TravelState>().step = -1;
    frame.send(command::LookAt{step});
}

/// The text is beside the buttons, or above them if that would be too narrow. It is never cut, because its end says
/// where the training broke.
struct TroubleLayout {
    std::string text, back;
    float buttons = 0, text_width = 0, text_height = 0;
    bool below = false;
};

constexpr std::string_view branch = N_("Branch there with a tenth of the learning rate");

TroubleLayout lay_out(const Frame& frame, float width) {
    const Ui& ui = frame.ui;
    const Trouble& trouble = *frame.snapshot.trouble;
    TroubleLayout l;
    l.text = filled(tr("Training stopped at step {1}: {2}"), {grouped(trouble.step), tr_sentence(trouble.text)});
    l.back = filled(tr("Go back to step {1}"), {grouped(trouble.last_kept)});
    l.buttons = chip_width(ui, l.back) + chip_width(ui, tr(branch)) + ui.px(trouble_button_height) + 3 * ui.px(6);
    const float room = width - 2 * ui.px(pad), beside = room - l.buttons - ui.px(pad);
    l.below = beside < ui.px(least_text);
    l.text_width = l.below ? room : beside;
    l.text_height = draw::wrapped_height(ui, l.text_width, l.text);
    return l;
}

}  // namespace

bool has_trouble(const Frame& frame) {
    const auto& trouble = frame.snapshot.trouble;
    return trouble && frame.state.own<TimelineState>().trouble_dismissed != trouble;
}

float trouble_bar_height(const Frame& frame, float width) {
    const Ui& ui = frame.ui;
    const TroubleLayout l = lay_out(frame, width);
    const float text = l.text_height + 2 * ui.px(air);
    return l.below ? text + ui.px(trouble_button_height + air) : std::max(ui.px(bar_height), text);
}

void draw_trouble_bar(const Frame& frame, const Box& box) {
    const Ui& ui = frame.ui;
    const Theme& t = *ui.theme;
    const Trouble& trouble = *frame.snapshot.trouble;
    const TroubleLayout l = lay_out(frame, box.width());
    draw::rounded_box(ui, box, t.danger_tint, t.danger, 8);
    const float height = ui.px(trouble_button_height), middle = box.middle_y();
    ImVec2 at{box.max.x - ui.px(pad) - l.buttons,
              std::round(l.below ? box.max.y - ui.px(air) - height : middle - height / 2)};
    const float left = box.min.x + ui.px(pad);
    const float top = l.below ? box.min.y + ui.px(air) : std::round(middle - l.text_height / 2);
    draw::text_wrapped(ui, {left, top}, l.text_width, l.text, {FontRole::body, t.danger_text});
    ui.items->add("trouble", {{left, top}, {left + l.text_width, top + l.text_height}}, trouble.step, l.text);
    ButtonStyle style{.tooltip = tr("The last kept step\nAll its numbers are finite.")};
    if (chip(ui, "trouble/back", at, height, l.back, style)) go_back(frame, trouble.last_kept);
    style.tooltip = tr("Try again from there\nSmaller steps often avoid the problem.");
    if (chip(ui, "trouble/branch", at, height, tr(branch), style)) branch_from_trouble(frame, trouble);
    style.tone = Tone::danger;
    style.icon = draw::Icon::close;
    style.tooltip = tr("Dismiss");
    if (button(ui, "trouble/dismiss", {at, {at.x + height, at.y + height}}, {}, style))
        frame.state.own<TimelineState>().trouble_dismissed = frame.snapshot.trouble;
}

}  // namespace glassformer::app
