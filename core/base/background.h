#pragma once

#include <condition_variable>
#include <functional>
#include <future>
#include <memory>
#include <mutex>
#include <stop_token>
#include <string>
#include <string_view>
#include <thread>
#include <type_traits>
#include <utility>

#include "core/base/error.h"

namespace glassformer {

/// What a task does after a turn: it goes on, it has nothing to do until somebody wakes it, or it ends.
enum class Turn { more, wait, done };

/// Whether a task gets a thread: everywhere but in a browser's page. There it takes its turns between the frames of
/// the window, on the window's thread.
bool tasks_have_threads();

/// For tests: tasks that begin while this lives get no thread. Made, like the turns, on one thread.
class TasksWithoutThreads {
public:
    TasksWithoutThreads();
    ~TasksWithoutThreads();
    TasksWithoutThreads(const TasksWithoutThreads&) = delete;
    TasksWithoutThreads& operator=(const TasksWithoutThreads&) = delete;
};

/// Tasks without threads take turns for so long, one after the other, and at least one turn each time. Returns whether
/// one of them has more to do.
bool take_turns(double seconds);

/// For how long a turn that would go on for `wanted` seconds may do so: on a thread for just as long, between two
/// frames for the task's share of what is left.
double turn_seconds(double wanted);

/// Waits that long for what a task does, and takes turns meanwhile where it has no thread.
void let_tasks_go_on(double seconds);

/// A task on a thread of its own, made of turns. What it throws ends the task and not the program; so does a system
/// that has no thread left. Ends with this: a stop is requested, which ends a wait, and waited for.
class Background {
public:
    /// A turn. Once a stop is requested there is one more, the last: to clean up.
    using Body = std::function<Turn(const std::stop_token&)>;
    /// Called with the reason, on the task's thread; on the caller's where there is none.
    using Failed = std::function<void(const std::string& why)>;

    Background() = default;
    Background(std::string_view name, Body body, Failed failed = {});

    /// There is something to do: a task that waits takes its next turn, one in a turn does not wait after it.
    void wake();
    void request_stop();
    bool joinable() const { return thread_.joinable() || between_frames_; }
    /// Waits until the task has ended by itself, or by a stop.
    void join();

    class BetweenFrames;  // a task without a thread

private:
    struct Bell {
        void wait(const std::stop_token& stop);
        void ring();

        std::mutex mutex;
        std::condition_variable_any rang;
        bool rings = false;
    };
    static void take_turns(const Body& body, Bell& bell, const std::stop_token& stop);

    std::shared_ptr<Bell> bell_ = std::make_shared<Bell>();  // the thread's, too: this may be moved
    std::jthread thread_;
    struct End {
        void operator()(BetweenFrames* task) const;
    };
    std::unique_ptr<BetweenFrames, End> between_frames_;  // instead of the thread
};

/// Every task comes by here under its name when it begins, and a long one in each turn; before, under "thread of
/// <name>", its thread.
void fault_point(std::string_view task);
/// For tests: the next fault_point() of that task throws an Error; that of no task where the name is empty. Returns
/// whether the one that was set before has been met.
bool fail_at(std::string_view task);

/// A result that is computed on a thread of its own; at once, on the caller's, where there is none or none is left.
/// get() throws an Error with the reason, whatever `compute` threw. The future waits for the thread before it goes.
template <class Compute>
auto compute_beside(std::string_view name, Compute compute) {
    const auto run = [name = std::string(name), task = std::make_shared<Compute>(std::move(compute))] {
        try {
            fault_point(name);
            return (*task)();
        } catch (const Error&) {
            throw;
        } catch (const std::bad_alloc&) {
            throw Error("out of memory");
        } catch (const std::exception& e) {
            throw Error(e.what());
        }
    };
    try {
        fault_point("thread of " + std::string(name));
        if (tasks_have_threads()) return std::async(std::launch::async, run);
    } catch (const std::exception&) {
        // Computed here.
    }
    std::packaged_task<std::invoke_result_t<Compute&>()> here(run);
    here();
    return here.get_future();
}

}  // namespace glassformer
