#include "core/base/background.h"

#include <doctest/doctest.h>

#include <atomic>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <new>
#include <regex>
#include <stdexcept>

#include "tests/core/error_of.h"

using namespace glassformer;

TEST_CASE("an exception ends a task, and its reason is reported") {
    const auto why_of = [](Background::Body body) {
        std::string why;
        {
            const Background task("a task", std::move(body), [&](const std::string& reason) { why = reason; });
        }
        return why;
    };
    CHECK(why_of([](const std::stop_token&) -> Turn { throw std::runtime_error("no such file"); }) == "no such file");
    CHECK(why_of([](const std::stop_token&) -> Turn { throw std::bad_alloc(); }) == "out of memory");
    CHECK(why_of([](const std::stop_token&) { return Turn::done; }).empty());
    {
        const Background nobody_listens("a task", [](const std::stop_token&) -> Turn { throw std::bad_alloc(); });
        const Background worse(
            "a task", [](const std::stop_token&) -> Turn { throw std::bad_alloc(); },
            [](const std::string&) { throw std::runtime_error("and so does this"); });
    }
    fail_at("a task");
    CHECK(contains(why_of([](const std::stop_token&) { return Turn::done; }), "as a test has asked"));
    CHECK(fail_at({}));
    CHECK(why_of([](const std::stop_token&) { return Turn::done; }).empty());
}

TEST_CASE("a task takes turns, waits until it is woken, and gets one last turn when it is stopped") {
    std::atomic<int> given{0}, taken{0}, last{0};
    {
        Background task("a task", [&](const std::stop_token& stop) {
            if (stop.stop_requested()) {
                ++last;
                return Turn::more;  // ignored: the task ends anyway
            }
            if (taken == given) return Turn::wait;
            ++taken;
            return Turn::more;
        });
        for (int i = 1; i <= 1000; ++i) {
            ++given;
            task.wake();
            if (i % 10 == 0)
                while (taken < i) std::this_thread::yield();
        }
    }
    CHECK(taken == 1000);
    CHECK(last == 1);

    int turns = 0;
    {
        Background counts("a task", [&](const std::stop_token&) { return ++turns < 5 ? Turn::more : Turn::done; });
        counts.join();
        counts.wake();  // no effect: the task has ended
    }
    CHECK(turns == 5);
}

TEST_CASE("a result is computed on another thread, or by the caller if no thread starts; a failure has a reason") {
    const auto here = std::this_thread::get_id();
    const auto where = [] { return std::this_thread::get_id(); };
    CHECK(compute_beside("a result", where).get() != here);
    fail_at("thread of a result");
    std::future<std::thread::id> by_caller = compute_beside("a result", where);
    CHECK(fail_at({}));
    CHECK(by_caller.wait_for(std::chrono::seconds(0)) == std::future_status::ready);
    CHECK(by_caller.get() == here);
    const auto why_of = [](auto body) { return error_of([&] { compute_beside("a result", body).get(); }); };
    CHECK(why_of([] { throw std::bad_alloc(); }) == "out of memory");
    CHECK(why_of([] { throw std::runtime_error("no such file"); }) == "no such file");
    fail_at("a result");
    CHECK(contains(why_of([] {}), "as a test has asked"));
    std::string why;
    fail_at("thread of a task");
    const Background none(
        "a task", [](const std::stop_token&) { return Turn::done; }, [&](const std::string& reason) { why = reason; });
    CHECK(contains(why, "as a test has asked"));
    CHECK_FALSE(none.joinable());
}

TEST_CASE("without threads, tasks take turns on the caller's thread, within the time they are given") {
    const TasksWithoutThreads none;
    const auto here = std::this_thread::get_id();
    CHECK(compute_beside("a result", [] { return std::this_thread::get_id(); }).get() == here);

    bool elsewhere = false;
    int turns = 0, last = 0, given = 0, taken = 0;
    double asked = 0.0;
    {
        Background busy("busy", [&](const std::stop_token& stop) {
            elsewhere |= std::this_thread::get_id() != here;
            ++(stop.stop_requested() ? last : turns);
            return Turn::more;
        });
        Background waits("waits", [&](const std::stop_token& stop) {
            if (stop.stop_requested()) return ++last, Turn::done;
            if (taken == given) return Turn::wait;
            ++taken;
            asked = turn_seconds(1000.0);
            return Turn::more;
        });
        CHECK(busy.joinable());
        CHECK(turns == 0);
        CHECK(take_turns(0.0));  // at least one turn, however little time there is
        CHECK(turns == 1);
        CHECK(take_turns(0.02));
        CHECK(turns > 1);
        CHECK(taken == 0);
        given = 3;
        waits.wake();
        while (taken < 3) CHECK(take_turns(0.01));  // both get turns
        CHECK(asked >= 0.0);
        CHECK(asked <= 0.01);
        CHECK(turn_seconds(1000.0) == 1000.0);  // outside a turn

        Background moved = std::move(busy);
        CHECK_FALSE(busy.joinable());
        const int before = turns;
        CHECK(take_turns(0.0));
        CHECK(turns == before + 1);
    }
    CHECK(last == 2);
    CHECK_FALSE(elsewhere);
    CHECK_FALSE(take_turns(0.0));

    // A task that wakes itself during its turn does not wait after it; a task may end another, or itself by throwing.
    int rounds = 0;
    std::string why;
    Background ended("ended", [](const std::stop_token&) { return Turn::more; });
    Background self("self", [&](const std::stop_token&) {
        if (++rounds < 3) self.wake();
        return Turn::wait;
    });
    Background fails(
        "fails",
        [&](const std::stop_token&) -> Turn {
            ended = {};
            throw std::runtime_error("no such file");
        },
        [&](const std::string& reason) { why = reason; });
    fails.join();
    CHECK(why == "no such file");
    CHECK_FALSE(fails.joinable());
    CHECK_FALSE(take_turns(0.01));
    CHECK(rounds == 3);

    int steps = 0;
    Background counts("counts", [&](const std::stop_token&) { return ++steps < 5 ? Turn::more : Turn::done; });
    counts.join();
    CHECK(steps == 5);
    fail_at("counts");
    std::string reason;
    {
        const Background met(
            "counts", [](const std::stop_token&) { return Turn::done; }, [&](const std::string& r) { reason = r; });
    }
    CHECK(contains(reason, "as a test has asked"));
}

TEST_CASE("only background tasks and the thread pool start threads") {
    namespace fs = std::filesystem;
    const fs::path root = GLASSFORMER_SOURCE_DIR;
    const std::regex begins("std::(j?thread\\b(?!::)|async)");
    int files = 0;
    for (const char* part : {"core", "app"})
        for (const fs::directory_entry& entry : fs::recursive_directory_iterator(root / part)) {
            const fs::path& file = entry.path();
            if (file.extension() != ".cpp" && file.extension() != ".h") continue;
            if (file.stem() == "background" || file.stem() == "thread_pool") continue;
            if (file.parent_path().filename() == "windows") continue;  // blocking calls, cancelled through their thread
            std::ifstream in(file);
            const std::string text{std::istreambuf_iterator<char>(in), {}};
            ++files;
            CAPTURE(file);
            CHECK_FALSE(std::regex_search(text, begins));
        }
    CHECK(files > 900);
}
