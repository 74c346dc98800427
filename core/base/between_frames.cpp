#include "core/base/between_frames.h"

#include <algorithm>
#include <chrono>
#include <thread>
#include <utility>
#include <vector>

#include "core/base/guarded.h"

namespace glassformer {

namespace {

using Clock = std::chrono::steady_clock;

#if defined(__EMSCRIPTEN__) && !defined(__EMSCRIPTEN_PTHREADS__)
constexpr bool system_has_threads = false;
#else
constexpr bool system_has_threads = true;
#endif

int without_threads = 0;
// The deadline of the current turn.
thread_local Clock::time_point turn_ends = Clock::time_point::max();

std::chrono::nanoseconds nanoseconds(double seconds) {
    return std::chrono::duration_cast<std::chrono::nanoseconds>(std::chrono::duration<double>(seconds));
}

}  // namespace

struct Background::BetweenFrames::Task {
    std::string name;
    Body body;
    Failed failed;
    std::stop_source stop;
    bool begun = false, ended = false;
    bool in_turn = false;  // a turn may itself call take_turns()
    bool waits = false, woken = false;

    bool ready() const { return !ended && !in_turn && (!waits || stop.stop_requested()); }

    void take_turn() {
        const bool last = stop.stop_requested();
        Turn turn = Turn::done;
        in_turn = true;
        woken = false;
        const std::string why = guarded([&] {
            if (!std::exchange(begun, true)) fault_point(name);
            turn = body(stop.get_token());
        });
        in_turn = false;
        waits = turn == Turn::wait && !woken;
        if (!last && turn != Turn::done) return;
        ended = true;
        body = {};
        if (!why.empty() && failed) guarded([&] { failed(why); });
    }
};

namespace {

using TaskList = std::vector<std::shared_ptr<Background::BetweenFrames::Task>>;

TaskList& tasks() {
    static TaskList all;  // the task that took its turn last is at the end
    return all;
}

}  // namespace

Background::BetweenFrames::BetweenFrames(std::string_view name, Body body, Failed failed)
    : task_(std::make_shared<Task>()) {
    task_->name = name;
    task_->body = std::move(body);
    task_->failed = std::move(failed);
    tasks().push_back(task_);
}

Background::BetweenFrames::~BetweenFrames() {
    task_->stop.request_stop();
    if (task_->ready()) task_->take_turn();
    std::erase(tasks(), task_);
}

void Background::BetweenFrames::wake() {
    task_->waits = false;
    task_->woken = true;
}

void Background::BetweenFrames::request_stop() { task_->stop.request_stop(); }

void Background::BetweenFrames::finish() {
    while (task_->ready()) task_->take_turn();
}

bool tasks_have_threads() { return system_has_threads && without_threads == 0; }

TasksWithoutThreads::TasksWithoutThreads() { ++without_threads; }
TasksWithoutThreads::~TasksWithoutThreads() { --without_threads; }

bool take_turns(double seconds) {
    const auto ready = [](const auto& task) { return task->ready(); };
    const Clock::time_point end = Clock::now() + nanoseconds(seconds);
    do {
        TaskList& all = tasks();
        const auto next = std::ranges::find_if(all, ready);
        if (next == all.end()) return false;
        const auto count = std::ranges::count_if(all, ready);
        std::rotate(next, next + 1, all.end());
        const auto task = all.back();  // keeps it alive: during its turn it may end others, or be ended itself
        const Clock::time_point now = Clock::now();
        const auto before = std::exchange(turn_ends, now + (std::max(end, now) - now) / count);
        task->take_turn();
        turn_ends = before;
    } while (Clock::now() < end);
    return std::ranges::any_of(tasks(), ready);
}

double turn_seconds(double wanted) {
    if (turn_ends == Clock::time_point::max()) return wanted;
    return std::clamp(std::chrono::duration<double>(turn_ends - Clock::now()).count(), 0.0, std::max(wanted, 0.0));
}

void let_tasks_go_on(double seconds) {
    if (take_turns(seconds)) return;
    std::this_thread::sleep_for(nanoseconds(seconds));
}

}  // namespace glassformer
