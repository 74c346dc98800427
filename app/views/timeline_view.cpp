#include <algorithm>

#include "app/views/scroll_area.h"
#include "app/views/timeline_parts.h"
#include "app/views/views.h"

namespace glassformer::app {

namespace {

constexpr std::string_view title = "TRAINING TIMELINE";
constexpr std::string_view subtitle = "drag to travel back: every view replays that step";

/// Returns the height taken.
float draw_title(const Ui& ui, ImVec2 at, float width) {
    const float line = ui.line(FontRole::small_bold) + ui.px(5);
    draw::text_in(ui, at, {at.x + width, at.y + line}, title, {FontRole::small_bold, ui.theme->text_muted});
    return line + draw::text_wrapped(ui, {at.x, at.y + line}, width, subtitle, {FontRole::small, ui.theme->text_muted});
}

/// Along the bottom of a wide window: controls, plot, legend, side by side.
void draw_strip(const Frame& frame, const Box& box) {
    const Ui& ui = frame.ui;
    const float pad = ui.px(18), gap = ui.px(24), left = ui.px(322);
    const float legend = std::max(timeline_legend_width(frame, false), travel_buttons_width(ui));
    const Box controls{{box.min.x + pad, box.min.y + ui.px(14)}, {box.min.x + pad + left, box.max.y}};
    const float titles = draw_title(ui, controls.min, left);
    draw_training_controls(frame, {{controls.min.x, controls.min.y + titles + ui.px(9)}, controls.max});
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
    const float above = ui.px(44) + ui.line(FontRole::small) * 2 + training_controls_height(ui, width) + row + 2 * gap;
    const Box inside{{box.min.x + pad, box.min.y + ui.px(12)}, {box.max.x - pad, box.max.y - ui.px(10)}};
    const ScrollArea area(ui, "##timeline", inside, above + ui.px(130));
    const Box& content = area.content();
    float y = content.min.y;
    y += draw_title(ui, {content.min.x, y}, content.width()) + gap;
    y += draw_training_controls(frame, {{content.min.x, y}, content.max}) + gap;
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
