#pragma once

#include <functional>
#include <stop_token>
#include <string>
#include <string_view>
#include <thread>

namespace glassformer {

/// A task on a thread of its own. What it throws ends the task and not the program; so does a system that has no thread
/// left. Ends with this: a stop is requested, and waited for.
class Background {
public:
    using Body = std::function<void(const std::stop_token&)>;
    /// Called with the reason, on the task's thread; on the caller's where there is none.
    using Failed = std::function<void(const std::string& why)>;

    Background() = default;
    Background(std::string_view name, Body body, Failed failed = {});

    void request_stop() { thread_.request_stop(); }
    bool joinable() const { return thread_.joinable(); }
    void join() { thread_.join(); }

private:
    std::jthread thread_;
};

/// Every task comes by here under its name when it begins, and a long one in each turn.
void fault_point(std::string_view task);
/// For tests: the next fault_point() of that task throws an Error; that of no task where the name is empty. Returns
/// whether the one that was set before has been met.
bool fail_at(std::string_view task);

}  // namespace glassformer
