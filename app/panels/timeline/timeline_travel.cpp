#include <algorithm>
#include <cstdlib>

#include "app/language/tr.h"
#include "app/panels/runs/run_panel.h"
#include "app/panels/timeline/timeline_drawing.h"
#include "app/panels/timeline/timeline_state.h"

namespace glassformer::app {

namespace {

constexpr float button_width = 34, travel_button_height = 26, button_gap = 4;  // pixels at 100 %

/// Returns the step requested last until a snapshot answers, so that quick clicks add up.
std::int64_t current_step(const Frame& frame) {
    const TravelState& travel = frame.own<TravelState>();
    return travel.step >= 0 && travel.at == frame.snapshot.number ? travel.step : frame.snapshot.step;
}

void ask(const Frame& frame, std::int64_t step) {
    stop_film(frame.state);
    frame.own<TravelState>() = {step, frame.snapshot.number};
    if (step >= frame.snapshot.live_step)
        frame.send(command::FollowLive{});
    else
        frame.send(command::LookAt{step});
}

/// Returns the last kept step before this one, or −1.
std::int64_t kept_before(const Snapshot& snapshot, std::int64_t step) {
    const auto at = std::ranges::lower_bound(snapshot.kept_steps, step);
    return at == snapshot.kept_steps.begin() ? -1 : *(at - 1);
}

/// Returns the first kept step after this one, or the newest step.
std::int64_t kept_after(const Snapshot& snapshot, std::int64_t step) {
    const auto at = std::ranges::upper_bound(snapshot.kept_steps, step);
    return at == snapshot.kept_steps.end() ? snapshot.live_step : *at;
}

/// Draws the button that plays and pauses the film of the training.
void draw_film_button(const Frame& frame, ImVec2 at) {
    const Ui& ui = frame.ui;
    const bool playing = frame.state.own<TimelineState>().film.playing;
    const ButtonStyle style{
        .tone = Tone::attention,
        .selected = playing,
        .enabled = frame.snapshot.kept_steps.size() > 1,
        .tooltip = playing ? tr("Stop the film (Space)")
                           : tr("Play the training as a film\nEvery view goes through the kept steps. You can set the "
                                "speed in Runs."),
        .icon = playing ? draw::Icon::pause : draw::Icon::play};
    if (!button(ui, "film", {at, {at.x + ui.px(button_width), at.y + ui.px(travel_button_height)}}, {}, style)) return;
    if (playing)
        stop_film(frame.state);
    else
        start_film(frame);
}

struct TravelButton {
    std::string_view label;
    draw::Icon icon;
    std::string_view tooltip;
    std::int64_t target;  // −1: nowhere to go
};

}  // namespace

std::int64_t nearest_kept(const Snapshot& snapshot, std::int64_t step) {
    std::int64_t nearest = snapshot.live_step;
    for (const std::int64_t kept : {kept_before(snapshot, step), kept_after(snapshot, step - 1)})
        if (kept >= 0 && std::abs(kept - step) < std::abs(nearest - step)) nearest = kept;
    return nearest;
}

void travel_to(const Frame& frame, std::int64_t step) {
    stop_film(frame.state);
    const Snapshot& snapshot = frame.snapshot;
    const std::int64_t nearest = nearest_kept(snapshot, step);
    const bool now = nearest >= snapshot.live_step;
    // Live steps advance while the mouse rests, so following them is requested only once.
    const std::int64_t last = frame.own<TravelState>().step;
    const bool asked = now ? last >= snapshot.live_step || (snapshot.live && last < 0) : last == nearest;
    if (!asked) ask(frame, now ? INT64_MAX : nearest);
}

void jump_to(const Frame& frame, std::int64_t step) {
    const std::int64_t nearest = nearest_kept(frame.snapshot, step);
    ask(frame, nearest >= frame.snapshot.live_step ? INT64_MAX : nearest);
}

void draw_travel_buttons(const Frame& frame, ImVec2 at) {
    const Ui& ui = frame.ui;
    const Snapshot& snapshot = frame.snapshot;
    const std::int64_t step = std::min(current_step(frame), snapshot.live_step);
    const bool past = step < snapshot.live_step || !snapshot.live;
    const std::int64_t first = snapshot.kept_steps.empty() ? -1 : snapshot.kept_steps.front();
    const std::array<TravelButton, 4> buttons = {{
        {"timeline first", draw::Icon::to_start, tr("To the first step"), first < step ? first : -1},
        {"timeline previous", draw::Icon::step_back, tr("To the previous kept step"), kept_before(snapshot, step)},
        {"timeline next", draw::Icon::step_forward, tr("To the next kept step"),
         past ? kept_after(snapshot, step) : -1},
        {"timeline now", draw::Icon::to_end, tr("To the newest step"), past ? INT64_MAX : -1},
    }};
    const float step_x = ui.px(button_width) + ui.px(button_gap);
    draw_film_button(frame, {at.x + 2 * step_x, at.y});
    for (const TravelButton& b : buttons) {
        const ButtonStyle style{.tone = Tone::quiet, .enabled = b.target >= 0, .tooltip = b.tooltip, .icon = b.icon};
        if (button(ui, b.label, {at, {at.x + ui.px(button_width), at.y + ui.px(travel_button_height)}}, {}, style))
            ask(frame, b.target);
        at.x += b.label == "timeline previous" ? 2 * step_x : step_x;  // the film is in the middle
    }
}

float travel_buttons_width(const Ui& ui) { return 5 * ui.px(button_width) + 4 * ui.px(button_gap); }
float travel_buttons_height(const Ui& ui) { return ui.px(travel_button_height); }

}  // namespace glassformer::app
