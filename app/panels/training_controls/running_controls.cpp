#include "app/panels/training_controls/running_controls.h"

#include <algorithm>
#include <array>
#include <numeric>

#include "app/language/tr.h"
#include "app/ui/input.h"
#include "core/base/number_text.h"

namespace glassformer::app {

namespace {

constexpr float running_control_height = 26, control_gap = 6;  // pixels at 100 %

constexpr std::array<std::string_view, 5> step_names{N_("5 steps"), N_("10 steps"), N_("100 steps"), N_("1000 steps"),
                                                     N_("10000 steps")};
constexpr std::array<std::int64_t, 5> step_counts{5, 10, 100, 1000, 10000};
constexpr std::array<std::string_view, 4> speed_names{N_("full"), "10/s", "2/s", "1/s"};
constexpr std::array<double, 4> speeds{0.0, 10.0, 2.0, 1.0};

void draw_one_step(const Frame& frame, const Box& box) {
    const ButtonStyle style{.tooltip = tr("One step, then pause (S)"), .icon = draw::Icon::step_forward};
    if (button(frame.ui, "one step", box, "", style)) frame.send(command::MakeSteps{1});
}

void draw_steps(const Frame& frame, const Box& box) {
    const int chosen = dropdown(frame.ui, "steps", box, tr("steps"), step_names);
    if (draw::hovered(box)) draw::tip(frame.ui, box, tr("Train this many steps, then pause"));
    if (chosen >= 0) frame.send(command::MakeSteps{step_counts[chosen]});
}

void draw_until(const Frame& frame, const Box& box) {
    const StopAt& at = frame.snapshot.running.stop_at;
    const bool waits = at.loss || at.metric || at.seconds;
    const ButtonStyle style{.tone = waits ? Tone::attention : Tone::plain,
                            .font = FontRole::small,
                            .tooltip = waits ? tr("Training until a goal is reached\nThen it pauses by itself.")
                                             : tr("Train until a loss, a metric, a time or a step is reached")};
    const bool asked = button(frame.ui, "until", box, tr("until…"), style).clicked;
    draw_until_card(frame, asked, box.min);
}

void draw_speed(const Frame& frame, const Box& box) {
    const Ui& ui = frame.ui;
    const double now = frame.snapshot.running.steps_per_second_most;
    const auto at = std::ranges::find(speeds, now);
    const int selected = at == speeds.end() ? -1 : static_cast<int>(at - speeds.begin());
    const std::string_view shown =
        selected >= 0 ? speed_names[selected] : ui.items->format("%s/s", significant(now).c_str());
    const int chosen = dropdown(ui, "speed", box, shown, speed_names, selected);
    ui.items->add("speed", box, now, tr(shown));
    if (draw::hovered(box)) draw::tip(ui, box, tr("Limit of steps per second\nSlow enough to watch each one."));
    if (chosen >= 0) frame.send(command::LimitSpeed{speeds[chosen]});
}

void draw_settings(const Frame& frame, const Box& box) {
    const ButtonStyle style{.font = FontRole::small,
                            .tooltip = tr("Change optimizer, schedule, clipping or dropout from the next step on")};
    const bool asked = button(frame.ui, "settings", box, tr("settings"), style).clicked;
    draw_settings_card(frame, asked, box.min);
}

}  // namespace

float running_controls_height(const Ui& ui) { return ui.px(running_control_height); }

void draw_running_controls(const Frame& frame, const Box& box) {
    if (!frame.snapshot.current_run()) return;
    const Ui& ui = frame.ui;
    Box row = box.top(ui.px(running_control_height));
    constexpr std::array<float, 5> widths{28, 84, 52, 62, 66};
    const float gap = ui.px(control_gap), gaps = gap * to_float(widths.size() - 1);
    const float all = ui.px(std::accumulate(widths.begin(), widths.end(), 0.0f));
    const float fit = std::min(1.0f, (box.width() - gaps) / all);  // a narrow panel gets narrower buttons
    draw_one_step(frame, row.cut_left(fit * ui.px(widths[0]), gap));
    draw_steps(frame, row.cut_left(fit * ui.px(widths[1]), gap));
    draw_until(frame, row.cut_left(fit * ui.px(widths[2]), gap));
    draw_speed(frame, row.cut_left(fit * ui.px(widths[3]), gap));
    draw_settings(frame, row.cut_left(fit * ui.px(widths[4]), gap));
}

void running_keys(const Frame& frame) {
    if (key_pressed(Key::s) && frame.snapshot.current_run()) frame.send(command::MakeSteps{1});
}

}  // namespace glassformer::app
