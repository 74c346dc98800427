// A long training in the window: how the program's memory develops.
#include <algorithm>
#include <cstdio>

#include "app/assets/assets.h"
#include "core/base/error.h"
#include "core/platform/process.h"
#include "tests/bench/window_session.h"

namespace glassformer::app::bench {

namespace {

/// The first minutes fill the timeline and the caches.
int warm_up_minutes(int minutes) { return std::min(3, minutes / 2); }

nlohmann::json measure(int threads, int minutes) {
    Session::Options options;
    options.world = "homonyms";
    options.assets = assets_folder();
    options.threads = threads;
    WindowSession window(std::move(options));
    window.session().send(command::Train{});
    const Clock::time_point start = Clock::now();
    std::vector<double> resident;
    std::int64_t step = 0, frames = 0;
    window.draw_until(WindowSession::Frames::drawn, [&](const Snapshot& s) {
        ++frames;
        step = s.live_step;
        const int minute = static_cast<int>(elapsed_ms(start) / 60e3);
        if (minute <= static_cast<int>(resident.size())) return false;
        resident.push_back(platform::resident_memory_mb());
        std::fprintf(stderr, "minute %d: %.1f MB resident, step %lld\n", minute, resident.back(),
                     static_cast<long long>(s.live_step));
        return minute >= minutes;
    });
    window.session().send(command::Pause{});
    const auto settled = resident.begin() + warm_up_minutes(minutes);
    const auto [least, most] = std::minmax_element(std::max(settled - 1, resident.begin()), resident.end());
    return {{"minutes", minutes},
            {"resident_mb", resident},
            {"after_minutes", warm_up_minutes(minutes)},
            {"drift", *most / *least - 1.0},
            {"steps", step},
            {"frames", frames}};
}

}  // namespace

nlohmann::json flat_memory(int threads, int minutes) {
    try {
        return measure(threads, minutes);
    } catch (const Error& e) {
        return {{"note", e.what()}};
    }
}

}  // namespace glassformer::app::bench
