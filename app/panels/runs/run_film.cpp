#include <algorithm>
#include <cmath>

#include "app/common/film_speed.h"
#include "app/language/tr.h"
#include "app/panels/leaving/saving.h"
#include "app/panels/runs/run_panel.h"
#include "app/panels/timeline/timeline_state.h"

namespace glassformer::app {

namespace {

constexpr float film_row_height = 28, film_row_gap = 8;  // pixels at 100 %
constexpr double longest_wait = 2.0;  // seconds for one picture: a kept step may be dropped in the meantime

double seconds_a_step(const Film& film, const Snapshot& snapshot) {
    return film_seconds[film.speed] / static_cast<double>(std::max<std::size_t>(snapshot.kept_steps.size(), 1));
}

void show(const Frame& frame, std::int64_t step, double now) {
    Film& film = frame.state.own<TimelineState>().film;
    film.asked = step;
    film.arrived = frame.snapshot.step == step;
    film.next_at = now + seconds_a_step(film, frame.snapshot);
    frame.send(command::LookAt{step});
}

/// Returns true if the film may continue: its picture is on screen, and nobody travelled elsewhere.
bool ready(Film& film, const Snapshot& snapshot, double now) {
    if (film.asked < 0 || snapshot.step == film.asked) {
        film.arrived = true;
        return now >= film.next_at;
    }
    if (film.arrived) film.playing = false;
    return !film.arrived && now >= film.next_at + longest_wait;
}

/// Draws the controls for the film as a folder of pictures: starts it, and stops it while it is being made.
void draw_film_pictures(const Frame& frame, ImVec2 at, float height) {
    const Ui& ui = frame.ui;
    FilmRecording& recording = frame.state.own<TimelineState>().recording;
    ButtonStyle style{.tone = Tone::quiet, .font = FontRole::small};
    if (recording.total > 0 && !recording.unseen) {
        style.tooltip = tr("Stop here\nKeeps the pictures made so far.");
        const std::string_view stop = ui.items->format(tr("Stop · picture %d of %d"),
                                                       std::min(recording.done + 1, recording.total), recording.total);
        if (chip(ui, "film/stop pictures", at, height, stop, style)) recording.asked_to_stop = true;
        return;
    }
    style.enabled = frame.snapshot.kept_steps.size() > 1;
    style.tooltip =
        tr("Save the film as pictures\nA numbered PNG file of the window for every kept step, in a new folder.");
    if (chip(ui, "film/pictures", at, height, tr("Save as pictures…"), style)) ask_where_to_film(frame);
}

void finish(const Frame& frame, double now) {
    Film& film = frame.state.own<TimelineState>().film;
    if (film.loop) return show(frame, frame.snapshot.kept_steps.front(), now);
    film.playing = false;
    if (frame.snapshot.step < frame.snapshot.live_step || !frame.snapshot.live) frame.send(command::FollowLive{});
}

}  // namespace

void play_film(const Frame& frame) {
    Film& film = frame.state.own<TimelineState>().film;
    const Snapshot& snapshot = frame.snapshot;
    if (!film.playing) return;
    if (film.run != snapshot.run || snapshot.kept_steps.size() < 2) return stop_film(frame.state);
    const double now = ImGui::GetTime();
    if (!ready(film, snapshot, now)) return;
    const auto next = std::ranges::upper_bound(snapshot.kept_steps, film.asked);
    if (next == snapshot.kept_steps.end()) return finish(frame, now);
    show(frame, *next, now);
}

void start_film(const Frame& frame) {
    Film& film = frame.state.own<TimelineState>().film;
    const Snapshot& snapshot = frame.snapshot;
    if (snapshot.kept_steps.size() < 2) return;
    const bool from_start = snapshot.live || snapshot.step >= snapshot.kept_steps.back();
    film.playing = true;
    film.run = snapshot.run;
    film.asked = from_start ? -1 : snapshot.step;
    film.arrived = true;
    film.next_at = ImGui::GetTime();
}

void stop_film(ViewState& state) { state.own<TimelineState>().film.playing = false; }

float film_settings_height(const Ui& ui) { return ui.px(2 * film_row_height + film_row_gap); }

void draw_film_settings(const Frame& frame, const Box& row) {
    const Ui& ui = frame.ui;
    Film& film = frame.state.own<TimelineState>().film;
    const float loop = draw::text_size(ui, tr("repeat")).x + ui.px(16 + 8), line = ui.px(film_row_height);
    segmented(ui, "film/speed", {row.min, {row.max.x - loop - ui.px(14), row.min.y + line}}, film_speed_names,
              film.speed);
    const float y = std::round(row.min.y + (line - ui.line(FontRole::body)) / 2);
    checkbox(ui, "film/loop", {row.max.x - loop, y}, tr("repeat"), film.loop);
    draw_film_pictures(frame, {row.min.x, row.max.y - line}, line);
}

}  // namespace glassformer::app
