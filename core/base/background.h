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

/// What a task does after a turn: continue, wait until woken, or end.
enum class Turn { more, wait, done };

/// True everywhere but in a browser's page. There tasks take their turns between the window's frames, on the window's
/// thread.
bool tasks_have_threads();

/// For tests: while this exists, new tasks get no thread. Create it on the thread that takes the turns.
class TasksWithoutThreads {
public:
    TasksWithoutThreads();
    ~TasksWithoutThreads();
    TasksWithoutThreads(const TasksWithoutThreads&) = delete;
    TasksWithoutThreads& operator=(const TasksWithoutThreads&) = delete;
};

/// Runs the tasks without threads for that long, one turn each in rotation, and at least one turn per call. Returns
/// true if one of them has more to do.
bool take_turns(double seconds);

/// How long a turn that wants `wanted` seconds may take: on a thread exactly that long; between two frames, the task's
/// share of the time left.
double turn_seconds(double wanted);

/// Waits that long for a task's work; if it has no thread, runs turns meanwhile.
void let_tasks_go_on(double seconds);

/// A task on a thread of its own, divided into turns. An exception ends the task, not the program; so does a lack of
/// threads. The destructor requests a stop, which interrupts waiting, and joins.
class Background {
public:
    /// One turn. After a stop is requested there is one last turn, to clean up.
    using Body = std::function<Turn(const std::stop_token&)>;
    /// Called with the reason on the task's thread, or on the caller's if there is none.
    using Failed = std::function<void(const std::string& why)>;

    Background() = default;
    Background(std::string_view name, Body body, Failed failed = {});
    ~Background() { request_stop(); }
    Background(Background&&) = default;
    Background& operator=(Background&& other) noexcept;

    /// Signals that there is something to do: a waiting task takes its next turn; one in a turn will not wait after it.
    void wake();
    void request_stop();
    bool joinable() const { return thread_.joinable() || between_frames_; }
    /// Blocks until the task has ended, by itself or after a stop request.
    void join();

    class BetweenFrames;  // a task without a thread

private:
    /// Also rung when a stop is requested: waiting for the token itself would need a std::stop_callback, whose
    /// destructor can wait forever where libstdc++ 12 has no system call to wait for an atomic, as on Windows.
    struct Bell {
        void wait();
        void ring();

        std::mutex mutex;
        std::condition_variable rang;
        bool rings = false;
    };
    static void take_turns(const Body& body, Bell& bell, const std::stop_token& stop);

    std::shared_ptr<Bell> bell_ = std::make_shared<Bell>();  // shared with the thread, since this object may be moved
    std::jthread thread_;
    struct End {
        void operator()(BetweenFrames* task) const;
    };
    std::unique_ptr<BetweenFrames, End> between_frames_;  // used instead of the thread
};

/// Each task calls this with its name when it begins, and a long one in each turn; before that, with "thread of
/// <name>", when its thread is created.
void fault_point(std::string_view task);
/// For tests: makes the next fault_point() of that task throw an Error; an empty name disarms it. Returns true if the
/// previously armed one has fired.
bool fail_at(std::string_view task);

/// Computes a result on a thread of its own; if there is none, at once on the caller's. get() throws an Error with the
/// reason, whatever `compute` threw. The future's destructor waits for the thread.
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
        // Fall through: compute here.
    }
    std::packaged_task<std::invoke_result_t<Compute&>()> here(run);
    here();
    return here.get_future();
}

}  // namespace glassformer
