#include "app/window/main_loop.h"

#include <emscripten.h>

#include <algorithm>
#include <exception>
#include <string>
#include <utility>

#include "app/language/sentences.h"
#include "app/language/tr.h"
#include "app/window/web/page.h"
#include "core/base/background.h"
#include "core/base/guarded.h"

// clang-format off
// A hidden tab gets no frames, and its timers hardly run; those of a worker do.
EM_JS(void, glassformer_go_on_hidden, (), {
    let clock = null;
    document.addEventListener('visibilitychange', () => {
        if (clock) clock.terminate();
        clock = null;
        if (!document.hidden) return;
        const code = 'setInterval(() => postMessage(0), 60)';
        clock = new Worker(URL.createObjectURL(new Blob([code], {type: 'text/javascript'})));
        clock.onmessage = () => _glassformer_hidden_turn();
    });
});
// clang-format on

namespace glassformer::app {

namespace {

std::function<std::optional<int>()> turn;

double seconds_of_tasks = 0;

/// Gives tasks time after a browser frame in which the program took `frame` seconds: little while the user is active;
/// else at least as long as the frame, at best until the next one, and half of the time if the browser is still busy
/// drawing the last one. A single turn may overrun; tasks then get nothing for some frames.
void let_tasks_go_on_after(double frame, double since_last_frame) {
    constexpr double while_looking_around = 0.008, between_frames = 0.014, most = 0.05;
    static double taken_too_much = 0;
    const bool looks_around = seconds_since_input() < 0.3;
    const double seconds = looks_around
                               ? while_looking_around
                               : std::max({frame, between_frames - frame, std::min(since_last_frame / 2, most)});
    if (!looks_around) taken_too_much = 0;
    taken_too_much -= seconds;
    if (taken_too_much > 0) return;
    const double start = emscripten_get_now();
    take_turns(seconds);
    const double taken = (emscripten_get_now() - start) / 1000;
    seconds_of_tasks += taken;
    taken_too_much = std::max(0.0, taken - seconds);
}

void take_turn() {
    const double start = emscripten_get_now();
    static double last = start;
    const double since_last = (start - std::exchange(last, start)) / 1000;
    std::optional<int> code;
    const std::string why = guarded([&] { code = turn(); });
    if (!why.empty()) show_in_page(filled(tr("Glassformer had to stop: {1}"), {tr_sentence(why)}));
    if (code || !why.empty()) {
        emscripten_cancel_main_loop();
        turn = {};
        if (why.empty()) show_in_page(tr("Glassformer has ended. Reload this page to start it again."));
        return;
    }
    let_tasks_go_on_after((emscripten_get_now() - start) / 1000, since_last);
}

}  // namespace

double take_seconds_of_tasks() { return std::exchange(seconds_of_tasks, 0); }

void take_hidden_turn() {
    constexpr double half_of_the_time = 0.03;  // of the clock's ticks, or more if a turn takes longer
    if (turn) take_turns(half_of_the_time);
}

int run_main_loop(std::function<std::optional<int>()> first) {
    turn = std::move(first);
    show_in_page("");
    emscripten_set_main_loop(take_turn, 0, false);
    glassformer_go_on_hidden();
    return 0;
}

}  // namespace glassformer::app

extern "C" EMSCRIPTEN_KEEPALIVE void glassformer_hidden_turn() { glassformer::app::take_hidden_turn(); }
