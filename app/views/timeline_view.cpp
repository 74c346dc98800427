#include <algorithm>

#include "app/views/running_controls.h"
#include "app/views/scroll_area.h"
#include "app/views/timeline_parts.h"
#include "app/views/views.h"

namespace glassformer::app {

namespace {

constexpr std::string_view title = "TRAINING TIMELINE";
constexpr std::string_view subtitle = "drag to travel back: every view replays that step";

/// Returns the height taken.
float draw_heading(const Ui& ui, ImVec2 at, float width) {
    const float line = ui.line(FontRole::small_bold) + ui.px(5);
    const ImVec2 max{at.x + width, at.y + line};
    draw::text_in(ui, at, max, title, {FontRole::small_bold, ui.theme->text_muted});
    if (draw::hovered(at, max)) draw::tip(ui, at, max, subtitle);
    return line;
}

/// The same with what it is for.
float draw_title(const Ui& ui, ImVec2 at, float width) {
    const float line = draw_heading(ui, at, width);
    return line + draw::text_wrapped(ui, {at.x, at.y + line}, width, subtitle, {FontRole::small, ui.theme->text_muted});
}

/// Along the bottom of a wide window: controls, plot, legend, side by side.
void draw_strip(const Frame& frame, const Box& box) {
    const Ui& ui = frame.ui;
    const float pad = ui.px(18), gap = ui.px(24), controls_width = ui.px(322), readouts = ui.px(176);
    const float left = controls_width + readouts + ui.px(12);
    const float legend = std::max(timeline_legend_width(frame, false), travel_buttons_width(ui));
    const Box controls{{box.min.x + pad, box.min.y + ui.px(10)}, {box.min.x + pad + left, box.max.y}};
    float y = controls.min.y + draw_heading(ui, controls.min, controls_width) + ui.px(4);
    draw_running_controls(frame, {{controls.min.x, y}, {controls.min.x + controls_width, box.max.y}});
    if (frame.snapshot.current_run()) y += running_controls_height(ui) + ui.px(6);
    draw_training_controls(frame, {{controls.min.x, y}, {controls.min.x + controls_width, box.max.y}});
    draw_running_readouts(frame, {{controls.max.x - readouts, controls.min.y}, controls.max});
    const float right = box.max.x - pad - legend;
    draw_timeline_plot(frame,
                       {{controls.max.x + gap, box.min.y + ui.px(8)}, {right - ui.px(16), box.max.y - ui.px(6)}});
    const float top = box.min.y + ui.px(18);
    draw_timeline_legend(frame, {right, top}, false);
    draw_travel_buttons(frame, {right, top + 2 * (ui.line(FontRole::small_bold) + ui.px(6)) + ui.px(8)});
}

/// A panel of its own in a narrow window: everything below each other, the plot as high as there is room.
void draw_panel(const Frame& frame, const Box& box) {
    const Ui& ui = frame.ui;
    draw::card(ui, box.min, box.max);
    const float pad = ui.px(16), gap = ui.px(12), width = box.width() - 2 * pad - ui.px(12);
    const float line = ui.line(FontRole::small_bold) + ui.px(6);
    const bool legend_beside = timeline_legend_width(frame, true) <= width;
    const bool same_row = timeline_legend_width(frame, true) + travel_buttons_width(ui) + 2 * gap <= width;
    const float legend = legend_beside ? line : 2 * line;
    const float row = same_row ? travel_buttons_height(ui) : travel_buttons_height(ui) + gap / 2 + legend;
    const bool trains = frame.snapshot.current_run() != nullptr;
    const float running =
        trains ? running_controls_height(ui) + running_readouts_height(ui, width) + gap + ui.px(6) : 0.0f;
    const float above =
        ui.px(44) + ui.line(FontRole::small) * 2 + training_controls_height(ui, width) + running + row + 2 * gap;
    const Box inside{{box.min.x + pad, box.min.y + ui.px(12)}, {box.max.x - pad, box.max.y - ui.px(10)}};
    const ScrollArea area(ui, "##timeline", inside, above + ui.px(130));
    const Box& content = area.content();
    float y = content.min.y;
    y += draw_title(ui, {content.min.x, y}, content.width()) + gap;
    draw_running_controls(frame, {{content.min.x, y}, content.max});
    if (trains) y += running_controls_height(ui) + ui.px(6);
    y += draw_training_controls(frame, {{content.min.x, y}, content.max}) + gap;
    draw_running_readouts(frame, {{content.min.x, y}, content.max});
    if (trains) y += running_readouts_height(ui, content.width()) + gap;
    draw_travel_buttons(frame, {content.min.x, y});
    const ImVec2 beside{content.min.x + travel_buttons_width(ui) + 2 * gap, y + (travel_buttons_height(ui) - line) / 2};
    const ImVec2 under{content.min.x, y + travel_buttons_height(ui) + gap / 2};
    draw_timeline_legend(frame, same_row ? beside : under, legend_beside);
    draw_timeline_plot(frame, {{content.min.x, y + row + gap / 2}, content.max});
}

}  // namespace

void draw_timeline(const Frame& frame, const Box& box) {
    const Ui& ui = frame.ui;
    const bool strip = box.height() <= ui.px(200) && box.width() >= ui.px(900);
    if (!strip) return draw_panel(frame, box);
    ui.list()->AddRectFilled(box.min, box.max, ui.theme->card);
    draw::horizontal_line(ui, box.min.x, box.max.x, box.min.y, ui.theme->card_border);
    draw_strip(frame, box);
}

}  // namespace glassformer::app
