// A class votes by phone while a model trains: what that does to the window's frames.
#include <httplib.h>

#include <algorithm>
#include <atomic>
#include <thread>

#include "app/assets/assets.h"
#include "app/bench/window_session.h"
#include "app/presenter/phone_vote.h"
#include "app/ui/input.h"
#include "core/base/error.h"
#include "core/base/rng.h"

namespace glassformer::app::bench {

namespace {

using Frames = WindowSession::Frames;
using std::chrono::milliseconds;

constexpr int class_size = 30, phone_turns = 3;
constexpr double turn_ms = 10e3, long_frame_ms = 33;
constexpr milliseconds between_frames{16};

/// A phone that asks as its page does and votes as often, each every two seconds: more than people would.
void be_a_phone(int port, int number, const std::atomic<bool>& over, std::atomic<int>& answered) {
    Rng rng(static_cast<std::uint64_t>(number));
    httplib::Headers cookie;
    for (bool asks = true; !over; asks = !asks) {
        httplib::Client page("127.0.0.1", port);
        page.set_interface("127.0.0." + std::to_string(10 + number));  // an address of its own
        httplib::Result answer{nullptr, httplib::Error::Unknown};
        if (cookie.empty()) {
            answer = page.Get("/");
            const std::string given = answer ? answer->get_header_value("Set-Cookie") : "";
            if (!given.empty()) cookie = {{"Cookie", given.substr(0, given.find(';'))}};
        } else if (asks) {
            answer = page.Get("/state", cookie);
        } else {
            const std::string choice = std::to_string(rng.below(4));
            answer = page.Post("/vote", cookie, httplib::Params{{"question", "1"}, {"round", "0"}, {"choice", choice}});
        }
        if (answer && answer->status == 200) ++answered;
        for (auto wait = 800 + static_cast<int>(rng.below(400)); wait > 0 && !over; wait -= 50)
            std::this_thread::sleep_for(milliseconds(50));
    }
}

void press(WindowSession& window, Key key) {
    for (const bool down : {true, false}) window.frame(Frames::built, [&] { script_key(key, down); });
}

/// The page's port, with a vote open on the stage.
int open_page(WindowSession& window) {
    window.app().state().own<PhonePlace>() = {"127.0.0.1", PhonePage::any_port};
    press(window, Key::f5);
    press(window, Key::v);
    const Item* button = window.items().find("vote/phones");
    if (!button) throw Error("the window has no button for phones");
    const ImVec2 at{(button->min.x + button->max.x) / 2, (button->min.y + button->max.y) / 2};
    for (const bool down : {false, true, false}) window.frame(Frames::built, [&] { script_mouse(at, down, false); });
    window.frame(Frames::built);
    const Item* code = window.items().find("vote/qr");
    if (!code) throw Error("the page for phones could not be served");
    return std::stoi(std::string(code->text.substr(code->text.rfind(':') + 1)));
}

/// As the clock on the wall has them, so that a frame that had to wait for the others is a long one.
void time_frames(WindowSession& window, Times& times) {
    for (const Clock::time_point start = Clock::now(); elapsed_ms(start) < turn_ms;) {
        const Clock::time_point begun = Clock::now();
        window.frame(Frames::built);
        times.ms.push_back(elapsed_ms(begun));
        std::this_thread::sleep_until(begun + between_frames);
    }
}

nlohmann::json frame_figures(const Times& times) {
    return {{"frames", times.ms.size()},
            {"median_ms", times.median()},
            {"p99_ms", times.quantile(0.99)},
            {"worst_ms", times.quantile(1)},
            {"over_33_ms", std::ranges::count_if(times.ms, [](double ms) { return ms > long_frame_ms; })}};
}

nlohmann::json measure_phones(int threads) {
    Session::Options options;
    options.world = "homonyms";
    options.assets = assets_folder();
    options.threads = threads;
    WindowSession window(std::move(options));
    const int port = open_page(window);
    window.session().send(command::Train{});
    Times alone, with_phones;
    std::atomic<int> answered{0};
    for (int turn = 0; turn < phone_turns; ++turn) {
        time_frames(window, alone);
        std::atomic<bool> over{false};
        std::vector<std::thread> phones;
        for (int i = 0; i < class_size; ++i) phones.emplace_back([&, i] { be_a_phone(port, i, over, answered); });
        time_frames(window, with_phones);
        over = true;
        for (std::thread& phone : phones) phone.join();
    }
    window.session().send(command::Pause{});
    return {{"phones", class_size},
            {"answers_a_second", answered / (phone_turns * turn_ms / 1e3)},
            {"alone", frame_figures(alone)},
            {"with_phones", frame_figures(with_phones)}};
}

}  // namespace

nlohmann::json phones(int threads) {
    try {
        return measure_phones(threads);
    } catch (const Error& e) {
        return {{"note", e.what()}};
    }
}

}  // namespace glassformer::app::bench
