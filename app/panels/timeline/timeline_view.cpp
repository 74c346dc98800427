#include <algorithm>
#include <cmath>

#include "app/language/tr.h"
#include "app/panels/panels.h"
#include "app/panels/runs/run_panel.h"
#include "app/panels/timeline/timeline_drawing.h"
#include "app/panels/timeline/timeline_state.h"
#include "app/panels/training_controls/running_controls.h"
#include "app/ui/opaque_fill.h"
#include "app/ui/scroll_area.h"

namespace glassformer::app {

namespace {

constexpr float side_width = 212, strip_from = 900;  // pixels at 100 %
constexpr std::string_view timeline_title = N_("TRAINING TIMELINE");
constexpr std::string_view subtitle = N_("drag to go back: every view shows that step");

/// Returns the height taken.
float draw_heading(const Ui& ui, ImVec2 at, float width) {
    const float line = ui.line(FontRole::small_bold) + ui.px(5);
    const Box box = Box::sized(at, width, line);
    draw::text_in(ui, box, tr(timeline_title), {FontRole::small_bold, ui.theme->text_muted});
    if (draw::hovered(box)) draw::tip(ui, box, tr(subtitle));
    return line;
}

/// Draws the heading and what the timeline is for.
float draw_timeline_title(const Ui& ui, ImVec2 at, float width) {
    const float line = draw_heading(ui, at, width);
    return line +
           draw::text_wrapped(ui, {at.x, at.y + line}, width, tr(subtitle), {FontRole::small, ui.theme->text_muted});
}

/// Draws the switch that gives early steps more room.
void draw_log_toggle(const Frame& frame, ImVec2 right_top) {
    const Ui& ui = frame.ui;
    bool& log_steps = frame.state.own<TimelineState>().log_steps;
    const ButtonStyle style{.tone = Tone::quiet,
                            .selected = log_steps,
                            .font = FontRole::small,
                            .tooltip = tr("Logarithmic steps\nThe early steps, where most happens, get more room.")};
    const float width = chip_width(ui, tr("log"), style), height = ui.line(FontRole::small) + ui.px(5);
    if (button(ui, "timeline log", {{right_top.x - width, right_top.y}, {right_top.x, right_top.y + height}}, tr("log"),
               style))
        log_steps = !log_steps;
}

/// Draws the right end of the strip: legend, travel buttons, runs.
void draw_side(const Frame& frame, const Box& box) {
    const Ui& ui = frame.ui;
    const float entries = 2 * (ui.line(FontRole::small_bold) + ui.px(6)), travel = travel_buttons_height(ui);
    const bool runs = !frame.snapshot.runs.empty();
    const float height = entries + ui.px(4) + travel + (runs ? ui.px(6) + travel : 0);
    float y = std::round(box.min.y + std::max(ui.px(8), (box.height() - height) / 2));
    draw_timeline_legend(frame, {box.min.x, y}, false);
    draw_log_toggle(frame, {box.max.x, y - ui.px(2)});
    y += entries + ui.px(4);
    draw_travel_buttons(frame, {box.min.x, y});
    y += travel + ui.px(6);
    draw_run_buttons(frame, box.between_y(y, y + travel));
}

/// For a strip that is high enough: travel buttons and runs below the controls, legend above the plot.
void draw_wide_plot(const Frame& frame, const Box& buttons, const Box& plot) {
    const Ui& ui = frame.ui;
    const float travel = travel_buttons_height(ui), line = ui.line(FontRole::small_bold) + ui.px(6);
    draw_travel_buttons(frame, buttons.min);
    draw_run_buttons(frame, buttons.bottom(travel));
    draw_timeline_legend(frame, plot.min, true);
    draw_log_toggle(frame, {plot.max.x, plot.min.y - ui.px(2)});
    draw_timeline_plot(frame, plot.below(plot.min.y + line));
}

/// Draws controls, plot and legend side by side along the bottom of a wide window. A higher strip, as above a lesson on
/// the stage, moves what it can below the controls and gives the rest to the plot; for an audience, it drops what would
/// take the plot's room.
void draw_strip(const Frame& frame, const Box& box) {
    const Ui& ui = frame.ui;
    const bool stage = frame.state.presenter;
    const float pad = ui.px(18), gap = ui.px(24), controls_width = ui.px(322), bottom = box.max.y - ui.px(6);
    const Box controls{{box.min.x + pad, box.min.y + ui.px(10)}, {box.min.x + pad + controls_width, box.max.y}};
    float y = controls.min.y;
    if (!stage) y += draw_heading(ui, controls.min, controls_width) + ui.px(4);  // on stage, the line above names it
    draw_running_controls(frame, controls.below(y));
    if (frame.snapshot.current_run()) y += running_controls_height(ui) + ui.px(6);
    y += draw_training_controls(frame, controls.below(y)) + ui.px(10);
    const float readouts = running_readouts_width(frame) + ui.px(8),
                under = running_readouts_height(frame, controls_width);
    const bool below = y + under <= bottom;
    float left = controls.max.x + gap;
    if (below) {
        draw_running_readouts(frame, controls.below(y));
        y += under + ui.px(8);
    } else if (!stage) {
        left += ui.px(12) + readouts;
        draw_running_readouts(frame, controls.between_x(left - gap - readouts, left - gap));
    }
    const float buttons = 2 * travel_buttons_height(ui) + ui.px(6), right = box.max.x - pad;
    const float legend = timeline_legend_width(frame, true) + ui.px(60);  // plus "log" beside it
    if (below && y + buttons <= bottom && legend <= right - left)
        return draw_wide_plot(frame, {{controls.min.x, y}, {controls.min.x + ui.px(side_width), y + buttons}},
                              {{left, controls.min.y}, {right, bottom}});
    const float side = std::max({timeline_legend_width(frame, false), travel_buttons_width(ui), ui.px(side_width)});
    draw_timeline_plot(frame, {{left, box.min.y + ui.px(8)}, {right - side - ui.px(16), bottom}});
    draw_side(frame, box.between_x(right - side, right));
}

/// Draws a panel of its own in a narrow window: everything stacked, and the plot as high as possible. If the plot would
/// get less than half, as above a lesson on the stage, it is beside the controls instead.
void draw_panel(const Frame& frame, const Box& box) {
    const Ui& ui = frame.ui;
    // In a narrow window, the runs and the branch card take the whole panel.
    if (frame.state.own<TimelineState>().branch.open) return draw_branch_card(frame, box);
    if (frame.state.own<TimelineState>().panel_open) return draw_run_panel(frame, box);
    draw::card(ui, box);
    const float pad = ui.px(16), gap = ui.px(12), width = box.width() - 2 * pad - ui.px(12);
    const float line = ui.line(FontRole::small_bold) + ui.px(6);
    const bool legend_beside = timeline_legend_width(frame, true) <= width;
    const bool same_row = timeline_legend_width(frame, true) + travel_buttons_width(ui) + 2 * gap <= width;
    const float legend = legend_beside ? line : 2 * line;
    const float travel = travel_buttons_height(ui);
    const float row = (same_row ? travel : travel + gap / 2 + legend) + gap / 2 + travel;
    const float trouble = has_trouble(frame) ? trouble_bar_height(frame, width) + gap : 0;
    const bool trains = frame.snapshot.current_run() != nullptr;
    const float running =
        trains ? running_controls_height(ui) + running_readouts_height(frame, width) + gap + ui.px(6) : 0.0f;
    const float above = ui.px(44) + ui.line(FontRole::small) * 2 + training_controls_height(ui, width) + running + row +
                        2 * gap + trouble;
    const Box inside{{box.min.x + pad, box.min.y + ui.px(12)}, {box.max.x - pad, box.max.y - ui.px(10)}};
    if (2 * above > inside.height() && box.width() >= ui.px(strip_from)) {
        const Box bar = inside.above(inside.min.y + trouble - gap);
        if (trouble > 0) draw_trouble_bar(frame, bar);
        return draw_strip(frame, box.between_y(box.min.y + trouble, inside.max.y));
    }
    const ScrollArea area(ui, "##timeline", inside, above + ui.px(130));
    const Box& content = area.content();
    float y = content.min.y;
    y += draw_timeline_title(ui, {content.min.x, y}, content.width()) + gap;
    if (trouble > 0) draw_trouble_bar(frame, content.between_y(y, y + trouble - gap));
    y += trouble;
    draw_running_controls(frame, content.below(y));
    if (trains) y += running_controls_height(ui) + ui.px(6);
    y += draw_training_controls(frame, content.below(y)) + gap;
    draw_running_readouts(frame, content.below(y));
    if (trains) y += running_readouts_height(frame, content.width()) + gap;
    draw_travel_buttons(frame, {content.min.x, y});
    const ImVec2 beside{content.min.x + travel_buttons_width(ui) + 2 * gap, y + (travel_buttons_height(ui) - line) / 2};
    const ImVec2 under{content.min.x, y + travel_buttons_height(ui) + gap / 2};
    draw_timeline_legend(frame, same_row ? beside : under, legend_beside);
    const float buttons = y + row - travel;
    draw_run_buttons(frame, {{content.min.x, buttons}, {content.min.x + ui.px(side_width), buttons + travel}});
    draw_log_toggle(frame, {content.max.x, buttons + ui.px(2)});
    draw_timeline_plot(frame, content.below(y + row + gap / 2));
}

/// Draws the message over the bottom of the panels until it is dismissed. Returns the height taken.
float draw_trouble_above(const Frame& frame, const Box& strip) {
    if (!has_trouble(frame)) return 0;
    const Ui& ui = frame.ui;
    const float gap = ui.px(6), height = trouble_bar_height(frame, strip.width() - 4 * gap);
    const Box box{{strip.min.x + 2 * gap, strip.min.y - gap - height}, {strip.max.x - 2 * gap, strip.min.y - gap}};
    const ChildWindow window(ui, "##trouble", box, ChildWindow::Kind::overlay);
    draw_trouble_bar(frame, box);
    return height + gap;
}

}  // namespace

void draw_timeline(const Frame& frame, const Box& box) {
    const Ui& ui = frame.ui;
    const bool strip = box.height() <= ui.px(200) && box.width() >= ui.px(strip_from);
    if (!strip) return draw_panel(frame, box);
    draw::opaque_fill(ui, box, ui.theme->card);
    draw::horizontal_line(ui, box.min.x, box.max.x, box.min.y, ui.theme->card_border);
    draw_strip(frame, box);
    const float trouble = draw_trouble_above(frame, box);
    draw_run_overlay(frame, box.below(box.min.y - trouble));
}

}  // namespace glassformer::app
