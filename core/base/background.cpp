#include "core/base/background.h"

#include <atomic>

#include "core/base/between_frames.h"
#include "core/base/guarded.h"

namespace glassformer {

namespace {

std::atomic<bool> armed{false};  // the only cost of this in normal runs
std::mutex mutex;
std::string failing;

}  // namespace

void fault_point(std::string_view task) {
    if (!armed) return;
    const std::lock_guard lock(mutex);
    if (task != failing) return;
    armed = false;
    failing.clear();
    throw Error("the task {1} fails, as a test has asked", task);
}

bool fail_at(std::string_view task) {
    const std::lock_guard lock(mutex);
    const bool met = !armed;
    failing = task;
    armed = !task.empty();
    return met;
}

void Background::Bell::wait() {
    std::unique_lock lock(mutex);
    rang.wait(lock, [this] { return rings; });
    rings = false;
}

void Background::Bell::ring() {
    {
        const std::lock_guard lock(mutex);
        rings = true;
    }
    rang.notify_one();
}

void Background::wake() {
    bell_->ring();
    if (between_frames_) between_frames_->wake();
}

void Background::request_stop() {
    if (thread_.request_stop()) bell_->ring();
    if (between_frames_) between_frames_->request_stop();
}

Background& Background::operator=(Background&& other) noexcept {
    request_stop();  // before the thread that this one takes the place of is joined
    between_frames_ = std::move(other.between_frames_);
    thread_ = std::move(other.thread_);
    bell_ = std::move(other.bell_);
    return *this;
}

void Background::join() {
    if (!between_frames_) return thread_.join();
    between_frames_->finish();
    between_frames_.reset();
}

void Background::End::operator()(BetweenFrames* task) const { delete task; }

void Background::take_turns(const Body& body, Bell& bell, const std::stop_token& stop) {
    for (bool last = false; !last;) {
        last = stop.stop_requested();
        const Turn turn = body(stop);
        if (turn == Turn::done) return;
        if (turn == Turn::wait && !last) bell.wait();
    }
}

Background::Background(std::string_view name, Body body, Failed failed) {
    const std::string not_begun = guarded([&] {
        fault_point("thread of " + std::string(name));
        if (!tasks_have_threads()) {
            between_frames_.reset(new BetweenFrames(name, std::move(body), failed));
            return;
        }
        thread_ = std::jthread(
            [name = std::string(name), body = std::move(body), failed, bell = bell_](const std::stop_token& stop) {
                const std::string why = guarded([&] {
                    fault_point(name);
                    take_turns(body, *bell, stop);
                });
                if (!why.empty() && failed) guarded([&] { failed(why); });
            });
    });
    if (!not_begun.empty() && failed) failed(not_begun);
}

}  // namespace glassformer
