// What strangers can do to a window that serves the page for phones: a class of thirty honest phones beside slow
// clients, floods and hostile requests, while a model trains. All traffic stays on this machine (127.0.0.x).
//   build/tests/phone_load [seconds of each part]
#include <sys/socket.h>

#include <algorithm>
#include <atomic>
#include <cstdio>
#include <cstdlib>
#include <mutex>
#include <thread>

#include "app/assets/assets.h"
#include "app/presenter/vote.h"
#include "app/ui/input.h"
#include "core/base/error.h"
#include "core/base/rng.h"
#include "core/platform/process.h"
#include "tests/bench/window_session.h"
#include "tests/ui/phones.h"

using namespace glassformer;
using namespace glassformer::app;
using bench::Clock;
using bench::Times;
using bench::WindowSession;
using std::chrono::milliseconds;

namespace {

constexpr int class_size = 30;
constexpr double long_frame_ms = 33;

struct Answers {
    std::mutex lock;
    Times times;
    int failed = 0;
};

/// Alternates between polling as the page does and voting, about one request per second: more than people would send.
void be_a_phone(int port, int number, const std::atomic<bool>& over, Answers& answers) {
    Rng rng(static_cast<std::uint64_t>(number));
    const phones::Phone phone(port, "127.0.0." + std::to_string(10 + number));
    for (bool asks = true; !over; asks = !asks) {
        const Clock::time_point begun = Clock::now();
        const std::string answer = asks ? phone.get("/state") : phone.vote(1, 0, static_cast<int>(rng.below(4)));
        {
            const std::lock_guard held(answers.lock);
            answers.times.ms.push_back(bench::elapsed_ms(begun));
            answers.failed += !answer.starts_with("HTTP/1.1 200");
        }
        for (auto wait = 800 + static_cast<int>(rng.below(400)); wait > 0 && !over; wait -= 50)
            std::this_thread::sleep_for(milliseconds(50));
    }
}

std::string hostile_address(std::size_t i) { return "127.0.1." + std::to_string(1 + i % 40); }

/// Keeps six connections from one address whose requests never end, and reopens each as soon as it is closed.
void be_slow(int port, std::size_t number, const std::atomic<bool>& over) {
    std::vector<int> open;
    while (!over) {
        std::erase_if(open, [](int socket) {
            if (::send(socket, "x", 1, MSG_NOSIGNAL | MSG_DONTWAIT) == 1) return false;
            phones::hang_up(socket);
            return true;
        });
        while (open.size() < 6) {
            const int socket = phones::connection(port, hostile_address(number));
            if (socket < 0) break;
            phones::send(socket, "GET / HTTP/1.1\r\nX: ");
            open.push_back(socket);
        }
        std::this_thread::sleep_for(milliseconds(100));
    }
    for (const int socket : open) phones::hang_up(socket);
}

void flood(int port, std::size_t number, const std::atomic<bool>& over) {
    for (std::size_t i = number; !over; i += 7) {
        const int socket = phones::connection(port, hostile_address(i));
        if (socket >= 0) phones::hang_up(socket);
    }
}

/// Sends requests that once kept a core busy or took a gigabyte, and votes with made-up cookies, from two addresses.
void be_hostile(int port, std::size_t number, const std::atomic<bool>& over) {
    const std::string host = "Host: 127.0.0.1:" + std::to_string(port) + "\r\n";
    std::string disposition = "--x\r\nContent-Disposition: form-data; name=\"";
    for (int i = 0; i < 330; ++i) disposition += "\";filename=\"";
    std::string ranges = "bytes=0-";
    for (int i = 0; i < 2000; ++i) ranges += ",-";
    const std::string requests[] = {
        "POST /vote HTTP/1.1\r\n" + host + "Content-Type: multipart/form-data; boundary=x\r\nContent-Length: " +
            std::to_string(disposition.size()) + "\r\n\r\n" + disposition,
        "POST /vote HTTP/1.1\r\n" + host +
            "Content-Type: text/plain\r\nContent-Encoding: br\r\nContent-Length: "
            "9\r\n\r\n\x5b\xff\xff\xff\xff\xff\xff\xff\xff",
        "GET / HTTP/1.1\r\n" + host + "Range: " + ranges + "\r\n\r\n",
        "POST /vote HTTP/1.1\r\n" + host + "Transfer-Encoding: chunked\r\n\r\nffffffff\r\n"};
    Rng rng(number);
    for (std::size_t i = number; !over; ++i) {
        std::string device;
        while (device.size() < 32) device += "0123456789abcdef"[rng.below(16)];
        const std::string vote = "POST /vote HTTP/1.1\r\n" + host + "Cookie: glassformer_device=" + device +
                                 "\r\nContent-Type: application/x-www-form-urlencoded\r\nContent-Length: "
                                 "27\r\n\r\nquestion=1&round=0&choice=3";
        phones::exchange(port, i % 5 < 4 ? requests[i % 5] : vote, hostile_address(number % 2));
    }
}

void press(WindowSession& window, Key key) {
    for (const bool down : {true, false}) window.frame(WindowSession::Frames::built, [&] { script_key(key, down); });
}

/// Opens a vote on the stage and returns the page's port.
int open_page(WindowSession& window) {
    window.app().state().own<PhonePlace>() = {"127.0.0.1", PhonePage::any_port};
    press(window, Key::f5);
    press(window, Key::v);
    const Item* button = window.items().find("vote/phones");
    if (!button) throw Error("the window has no button for phones");
    const ImVec2 at{(button->min.x + button->max.x) / 2, (button->min.y + button->max.y) / 2};
    for (const bool down : {false, true, false})
        window.frame(WindowSession::Frames::built, [&] { script_mouse(at, down, false); });
    window.frame(WindowSession::Frames::built);
    const Item* code = window.items().find("vote/qr");
    if (!code) throw Error("the page for phones could not be served");
    return std::stoi(std::string(code->text.substr(code->text.rfind(':') + 1)));
}

/// Wall-clock times, so that a frame that had to wait for the server threads counts as long.
Times timed_frames(WindowSession& window, double seconds) {
    Times times;
    for (const Clock::time_point start = Clock::now(); bench::elapsed_ms(start) < seconds * 1e3;) {
        const Clock::time_point begun = Clock::now();
        window.frame(WindowSession::Frames::built);
        times.ms.push_back(bench::elapsed_ms(begun));
        std::this_thread::sleep_until(begun + milliseconds(16));
    }
    return times;
}

using Stranger = void (*)(int port, std::size_t number, const std::atomic<bool>& over);

void measure(WindowSession& window, int port, const char* what, double seconds, int honest, int strangers,
             Stranger stranger) {
    Answers answers;
    std::atomic<bool> over{false};
    const double before = platform::resident_memory_mb();
    std::vector<std::thread> threads;
    for (int i = 0; i < honest; ++i) threads.emplace_back([&, i] { be_a_phone(port, i, over, answers); });
    for (int i = 0; i < strangers; ++i)
        threads.emplace_back([&, i] { stranger(port, static_cast<std::size_t>(i), over); });
    const Times frames = timed_frames(window, seconds);
    const double more = platform::resident_memory_mb() - before;
    over = true;
    for (std::thread& thread : threads) thread.join();
    const auto late = std::ranges::count_if(frames.ms, [](double ms) { return ms > long_frame_ms; });
    std::printf("%-44s frame %5.1f ms (p99 %.1f, longest %.1f), %d of %zu over 33 ms\n", what, frames.median(),
                frames.quantile(0.99), frames.quantile(1), static_cast<int>(late), frames.ms.size());
    if (window.app().shown().state == RunState::paused) std::printf("%-44s %+.1f MB\n", "", more);
    if (!answers.times.ms.empty())
        std::printf("%-44s answer %5.1f ms (p99 %.1f, longest %.1f), %d of %zu failed\n", "", answers.times.median(),
                    answers.times.quantile(0.99), answers.times.quantile(1), answers.failed, answers.times.ms.size());
}

void measure_all(double seconds) {
    Session::Options options;
    options.world = "homonyms";
    options.assets = assets_folder();
    WindowSession window(std::move(options));
    const int port = open_page(window);
    window.session().send(command::Train{});
    measure(window, port, "training alone", seconds, 0, 0, nullptr);
    measure(window, port, "30 phones", seconds, class_size, 0, nullptr);
    measure(window, port, "30 phones, 40 addresses with 6 slow visitors", seconds, class_size, 40, be_slow);
    measure(window, port, "30 phones, a flood from 40 addresses", seconds, class_size, 2, flood);
    measure(window, port, "30 phones, hostile requests, made-up cookies", seconds, class_size, 4, be_hostile);
    // Training takes memory of its own, so the page's memory is measured without it. It includes the clients'.
    window.session().send(command::Pause{});
    window.settle(WindowSession::Frames::built);
    measure(window, port, "no training, 30 phones", seconds, class_size, 0, nullptr);
    measure(window, port, "no training, 240 slow visitors", seconds, 0, 40, be_slow);
    measure(window, port, "no training, hostile requests", seconds, 0, 4, be_hostile);
    std::atomic<bool> over{false};
    std::vector<std::thread> strangers;
    for (std::size_t i = 0; i < 40; ++i) strangers.emplace_back([&, i] { be_slow(port, i, over); });
    std::this_thread::sleep_for(milliseconds(500));
    const Clock::time_point begun = Clock::now();
    press(window, Key::f5);
    std::printf("leaving the stage beside 240 slow visitors: %.0f ms\n", bench::elapsed_ms(begun));
    over = true;
    for (std::thread& stranger : strangers) stranger.join();
}

}  // namespace

int main(int argc, char** argv) {
    try {
        measure_all(argc > 1 ? std::atof(argv[1]) : 10);
    } catch (const std::exception& e) {
        std::fprintf(stderr, "%s\n", e.what());
        return 1;
    }
}
