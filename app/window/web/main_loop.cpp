#include "app/window/main_loop.h"

#include <emscripten.h>
#include <emscripten/html5.h>

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
// Lets tasks have a turn in a message. Messages come between the browser's frames, and also while a hidden tab gets no
// frames and its timers hardly run.
EM_JS(void, glassformer_post_turn, (), {
    if (!Module.turns) {
        Module.turns = new MessageChannel();
        Module.turns.port1.onmessage = () => _glassformer_turn();
    }
    Module.turns.port2.postMessage(0);
});
// clang-format on

namespace glassformer::app {

namespace {

std::function<std::optional<int>()> turn;

double seconds_of_tasks = 0;
bool posted = false;  // a message is on its way
bool hidden = false;  // the tab

void post_turn() {
    if (!std::exchange(posted, true)) glassformer_post_turn();
}

/// Tasks get one turn per frame while the user is active, else one message after the other until none of them has
/// anything to do. A single turn may overrun; while the user is active, tasks then get nothing for some frames.
void let_tasks_go_on() {
    constexpr double seconds = 0.008;  // so much later the next frame may begin
    static double taken_too_much = 0;
    const bool looks_around = seconds_since_input() < 0.3 && !hidden;
    if (!looks_around) taken_too_much = 0;
    taken_too_much -= seconds;
    if (taken_too_much > 0) return;
    const double start = emscripten_get_now();
    const bool more = take_turns(seconds);
    const double taken = (emscripten_get_now() - start) / 1000;
    seconds_of_tasks += taken;
    taken_too_much = std::max(0.0, taken - seconds);
    if (more && !looks_around) post_turn();
}

void take_turn() {
    std::optional<int> code;
    const std::string why = guarded([&] { code = turn(); });
    if (!why.empty()) show_in_page(filled(tr("Glassformer had to stop: {1}"), {tr_sentence(why)}));
    if (code || !why.empty()) {
        emscripten_cancel_main_loop();
        turn = {};
        if (why.empty()) show_in_page(tr("Glassformer has ended. Reload this page to start it again."));
        return;
    }
    post_turn();
}

}  // namespace

double take_seconds_of_tasks() { return std::exchange(seconds_of_tasks, 0); }

int run_main_loop(std::function<std::optional<int>()> first) {
    turn = std::move(first);
    show_in_page("");
    emscripten_set_main_loop(take_turn, 0, false);
    emscripten_set_visibilitychange_callback(nullptr, false, [](int, const auto* tab, void*) {
        hidden = tab->hidden;
        post_turn();
        return false;
    });
    return 0;
}

}  // namespace glassformer::app

extern "C" EMSCRIPTEN_KEEPALIVE void glassformer_turn() {
    glassformer::app::posted = false;
    if (glassformer::app::turn) glassformer::app::let_tasks_go_on();
}
