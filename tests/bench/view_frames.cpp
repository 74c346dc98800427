#include <ctime>
#include <string>

#include "app/ui/input.h"
#include "app/views/registry.h"
#include "tests/bench/drawing.h"

namespace glassformer::app::bench {

namespace {

constexpr int warm_up = 5, most_warm_up = 2000;

/// CPU time of this thread.
double thread_ms() {
    timespec now{};
    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &now);
    return static_cast<double>(now.tv_sec) * 1e3 + static_cast<double>(now.tv_nsec) / 1e6;
}

/// A path across both sentences, so that hovering is measured too.
ImVec2 on_the_way(int step, int count) {
    const ImVec2 screen = ImGui::GetIO().DisplaySize;
    const float t = static_cast<float>(step) / static_cast<float>(count);
    return {screen.x * (0.16f + 0.6f * t), screen.y * (0.3f + 0.5f * static_cast<float>(step % 7) / 7)};
}

Times frames_of(App& app, ImGuiHost& host, Surface& surface, int count) {
    int warm = 0;
    do frame(app, host, surface);
    while (++warm < warm_up || (app.state().more_to_compute && warm < most_warm_up));
    Times times;
    for (int i = 0; i < count; ++i) {
        const ImVec2 mouse = on_the_way(i, count);
        times.ms.push_back(frame(app, host, surface, [&] { script_mouse(mouse, false, false); }));
    }
    return times;
}

}  // namespace

double frame(App& app, ImGuiHost& host, Surface& surface, const std::function<void()>& input) {
    const double start = thread_ms();
    host.begin_frame(input);
    app.draw(host);
    const double built = thread_ms() - start;
    host.end_frame_and_draw();
    surface.present();
    return built;
}

nlohmann::json summary(const Times& times) { return {{"median_ms", times.median()}, {"p99_ms", times.quantile(0.99)}}; }

nlohmann::json view_frames(App& app, ImGuiHost& host, Surface& surface, int count, std::string_view only) {
    const std::function<void(Command)> nowhere = [](const Command&) {};
    nlohmann::json all = nlohmann::json::array();
    const int before = app.state().view;
    for (std::size_t i = 0; i < all_views().size(); ++i) {
        const View& view = all_views()[i];
        if (!only.empty() && view.name != only) continue;
        if (view.offered && !view.offered(Frame{host.ui(), app.shown(), app.state(), nowhere})) continue;
        app.state().view = static_cast<int>(i);
        nlohmann::json one = summary(frames_of(app, host, surface, count));
        one["name"] = view.name;
        all.push_back(one);
    }
    app.state().view = before;
    return all;
}

}  // namespace glassformer::app::bench
