#include "app/panels/runs/run_panel.h"

#include <algorithm>
#include <cmath>

#include "app/language/tr.h"
#include "app/panels/experiment/experiment_page.h"
#include "app/panels/runs/run_branch.h"
#include "app/panels/timeline/timeline_drawing.h"
#include "app/panels/timeline/timeline_state.h"
#include "app/ui/child_window.h"
#include "app/ui/scroll_area.h"
#include "core/base/number_text.h"

namespace glassformer::app {

namespace {

constexpr float runs_padding = 14, section_gap = 14, head_gap = 6, close_side = 26;  // pixels at 100 %
constexpr float head_rise = 6;  // of the buttons above the line of their heading
constexpr float panel_width = 440, branch_width = 440, overlay_gap = 8;

float head_height(const Ui& ui) { return ui.line(FontRole::small_bold) + ui.px(head_gap); }

/// Returns the y below the heading.
float draw_head(const Ui& ui, const Box& content, float y, std::string_view text) {
    draw::text_in(ui, content.between_y(y, y + ui.line(FontRole::small_bold)), text,
                  {FontRole::small_bold, ui.theme->text_muted});
    return y + head_height(ui);
}

float content_height(const Frame& frame, float width) {
    const Ui& ui = frame.ui;
    return ui.px(head_rise) + 3 * head_height(ui) + run_list_height(frame) + film_settings_height(ui) +
           event_list_height(frame, width) + 2 * ui.px(section_gap);
}

float run_panel_height(const Frame& frame, float width) {
    const float pad = frame.ui.px(runs_padding);
    return content_height(frame, width - 2 * pad) + 2 * pad - frame.ui.px(head_rise);
}

}  // namespace

void draw_run_panel(const Frame& frame, const Box& box) {
    const Ui& ui = frame.ui;
    draw::card(ui, box);
    const float pad = ui.px(runs_padding);
    Box inside = box.inset(pad);
    inside.min.y -= ui.px(head_rise);  // a panel that scrolls clips there
    const float beside_bar = inside.width() - ImGui::GetStyle().ScrollbarSize - ui.px(2);
    const float whole = content_height(frame, inside.width());
    const ScrollArea area(ui, "##runs", inside,
                          whole <= inside.height() + 0.5f ? whole : content_height(frame, beside_bar));
    const Box content = area.content().below(area.content().min.y + ui.px(head_rise));
    const float side = ui.px(close_side);
    const Box corner = Box::sized({content.max.x - side, content.min.y - ui.px(head_rise)}, side, side);
    if (close_button(ui, "runs/close", corner, tr("Close"))) frame.state.own<TimelineState>().panel_open = false;
    const ButtonStyle many{.tone = Tone::quiet,
                           .font = FontRole::small,
                           .tooltip = tr("Several runs side by side\nWith other seeds, or anything else: is it luck?")};
    const float wide = chip_width(ui, tr("Experiment…"), many), end = content.max.x - side - ui.px(4);
    if (button(ui, "runs/experiment", Box::sized({end - wide, content.min.y - ui.px(4)}, wide, side - ui.px(4)),
               tr("Experiment…"), many))
        open_experiment(frame);
    float y = draw_head(ui, content, content.min.y, tr("RUNS"));
    draw_run_list(frame, content.below(y));
    y += run_list_height(frame) + ui.px(section_gap);
    y = draw_head(ui, content, y, tr("FILM OF THE TRAINING"));
    draw_film_settings(frame, content.between_y(y, y + film_settings_height(ui)));
    y += film_settings_height(ui) + ui.px(section_gap);
    y = draw_head(ui, content, y, tr("EVENTS"));
    draw_event_list(frame, content.below(y));
}

void draw_run_buttons(const Frame& frame, const Box& row) {
    const Snapshot& snapshot = frame.snapshot;
    if (snapshot.runs.empty()) return;
    const Ui& ui = frame.ui;
    TimelineState& state = frame.state.own<TimelineState>();
    ButtonStyle style{.tone = Tone::quiet,
                      .selected = state.panel_open,
                      .font = FontRole::small,
                      .tooltip = tr("Runs, film and events\nAll runs side by side.")};
    ImVec2 at = row.min;
    const std::string_view runs = snapshot.runs.size() > 1 ? ui.items->format(tr("Runs %zu"), snapshot.runs.size())
                                                           : std::string_view(tr("Runs"));
    if (chip(ui, "runs", at, row.height(), runs, style)) {
        state.panel_open = !state.panel_open;
        state.branch.open = false;
    }
    style.selected = state.branch.open;
    style.tooltip = tr("Continue from here with other settings\nBoth curves stay on the screen.");
    const std::string_view branch = ui.items->format(tr("Branch from %s…"), grouped(branch_step(snapshot)).c_str());
    if (!button(ui, "branch", {at, row.max}, branch, style)) return;
    if (state.branch.open)
        state.branch.open = false;
    else
        open_branch(frame);
}

bool close_run_card(ViewState& state) {
    TimelineState& timeline = state.own<TimelineState>();
    if (timeline.renaming >= 0) return true;  // the field closes itself
    if (!timeline.panel_open && !timeline.branch.open) return false;
    timeline.panel_open = timeline.branch.open = false;
    return true;
}

void draw_run_overlay(const Frame& frame, const Box& strip) {
    const Ui& ui = frame.ui;
    TimelineState& state = frame.state.own<TimelineState>();
    if (!state.panel_open && !state.branch.open) return;
    const float gap = ui.px(overlay_gap), room = strip.min.y - 2 * gap - ui.px(52);
    const float width = std::min(ui.px(state.branch.open ? branch_width : panel_width), strip.width() - 2 * gap);
    const float wanted = state.branch.open ? branch_card_height(ui) : run_panel_height(frame, width);
    const Box box{{strip.max.x - gap - width, strip.min.y - gap - std::ceil(std::min(wanted, room))},
                  {strip.max.x - gap, strip.min.y - gap}};
    const ChildWindow window(ui, "##run card", box, ChildWindow::Kind::overlay);
    const float shade = ui.px(2);
    ui.list()->PushClipRectFullScreen();
    draw::rounded_box(ui, box.inset(-shade), 0, with_alpha(ui.theme->text, 0.16f), 10, 2);
    ui.list()->PopClipRect();
    if (state.branch.open)
        draw_branch_card(frame, box);
    else
        draw_run_panel(frame, box);
}

}  // namespace glassformer::app
