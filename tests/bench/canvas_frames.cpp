#include <algorithm>
#include <cmath>
#include <ctime>
#include <functional>

#include "app/context/software_renderer.h"
#include "app/ui/input.h"
#include "app/views/registry.h"
#include "app/views/whole_model/canvas.h"
#include "app/window/offscreen.h"
#include "core/base/error.h"
#include "tests/bench/drawing.h"
#include "tests/bench/random_model.h"

namespace glassformer::app::bench {

namespace {

constexpr int canvas_tokens = 512, frames_a_way = 120, most_frames_before = 2000;
constexpr float notches_a_second = 12;  // of the mouse wheel: a fast finger

/// 24 blocks of 16 heads each.
TransformerConfig deep_model() {
    TransformerConfig c = large_model();
    c.n_layers = 24, c.n_heads = 16, c.d_model = 256, c.d_mlp = 1024;
    return c;
}

/// The user's input before frame `i`. Returns false after the last.
using Doing = std::function<bool(int i)>;

const ImVec2 middle{800, 480};  // of the view, in the window

/// Turns the wheel without a pause, with the mouse at the centre of the view: zooms in by `notches` and back out,
/// `times` times.
Doing turn_wheel(float notches, float times) {
    return [=, turned = 0.0f](int) mutable {
        const float by = notches_a_second * ImGui::GetIO().DeltaTime;
        script_mouse(middle, false, false);
        script_wheel(std::fmod(turned, 2 * notches) < notches ? by : -by);
        turned += by;
        return turned < 2 * notches * times;
    };
}

/// Drags the page to and fro at 24 pixels per frame, which is fast.
bool drag(int i) {
    const int there = i % 40, far = there < 20 ? there : 40 - there;
    script_mouse({middle.x - 240 + 24 * static_cast<float>(far), middle.y - 60 + 6 * static_cast<float>(far)},
                 i + 1 < frames_a_way, false);
    return i + 1 < frames_a_way;
}

bool rest(int i) { return i + 1 < frames_a_way; }

/// The view Whole model alone in the window, with the panels closed, drawn as a real window draws it.
class CanvasWindow {
public:
    CanvasWindow(const TransformerConfig& config, int threads)
        : surface_(open_offscreen({1600, 1000})),
          session_(open_random(config, canvas_tokens, threads)),
          host_(*surface_, {}),
          app_(*session_) {
        ViewState& state = app_.state();
        state.reduce_motion = true, state.compare = false;
        state.view = view_index("Whole model");
        state.window.panels = {false, false, false};
        host_.draw_as_window(draws_in_software());
    }

    /// Times building a frame and the whole frame, while there is input and then until the picture rests.
    nlohmann::json along(const char* name, views::whole_model::CanvasLevel level, float zoom, const Doing& doing) {
        views::whole_model::CanvasCamera& camera = app_.state().own<views::whole_model::CanvasState>().camera;
        camera.go(level, 0, true);
        camera.zoom_by(zoom, {0.3f, 0.6f});
        const Clock::time_point start = Clock::now();
        int warm = 0;
        do frame(app_, host_, *surface_);
        while (++warm < 10 || (app_.state().more_to_compute && warm < most_frames_before));
        nlohmann::json result{{"name", name}, {"until_all_is_there_ms", elapsed_ms(start)}};
        Times built, drawn;
        int vertices = 0;
        const Clock::time_point begin = Clock::now();
        const std::clock_t processor = std::clock();
        bool more = true;
        Clock::time_point before = begin;
        for (int i = 0; more || (host_.waits() && i < most_frames_before); ++i) {
            const double last = i == 0 ? 1e3 / 60 : elapsed_ms(before);
            before = Clock::now();
            built.ms.push_back(frame(app_, host_, *surface_, [&] {
                ImGui::GetIO().DeltaTime = static_cast<float>(last / 1e3);  // as in a real window
                more = more && doing(i);
            }));
            drawn.ms.push_back(elapsed_ms(before));
            vertices = std::max(vertices, ImGui::GetDrawData()->TotalVtxCount);
        }
        const auto frames = static_cast<double>(drawn.ms.size());
        result["build"] = summary(built), result["frame"] = summary(drawn);
        result["frames_a_second"] = 1e3 * frames / elapsed_ms(begin);
        result["processor_ms_a_frame"] = 1e3 * static_cast<double>(std::clock() - processor) / CLOCKS_PER_SEC / frames;
        result["vertices"] = vertices;
        return result;
    }

private:
    std::unique_ptr<Offscreen> surface_;
    std::unique_ptr<Session> session_;
    ImGuiHost host_;
    App app_;
};

nlohmann::json measure(const char* name, const TransformerConfig& config, int threads) {
    CanvasWindow window(config, threads);
    nlohmann::json ways = nlohmann::json::array();
    ways.push_back(window.along("the whole, at rest", views::whole_model::CanvasLevel::model, 1, rest));
    ways.push_back(window.along("zooming", views::whole_model::CanvasLevel::model, 1, turn_wheel(10, 3)));
    ways.push_back(
        window.along("zooming through the levels", views::whole_model::CanvasLevel::model, 1, turn_wheel(20, 1)));
    ways.push_back(window.along("panning, near", views::whole_model::CanvasLevel::model, 6, drag));
    ways.push_back(window.along("a block, at rest", views::whole_model::CanvasLevel::block, 1, rest));
    ways.push_back(window.along("zooming in a block", views::whole_model::CanvasLevel::block, 1, turn_wheel(3, 8)));
    ways.push_back(window.along("panning in a block", views::whole_model::CanvasLevel::block, 2, drag));
    ways.push_back(window.along("a head, at rest", views::whole_model::CanvasLevel::head, 1, rest));
    return {{"model", name}, {"tokens", canvas_tokens}, {"ways", ways}};
}

}  // namespace

nlohmann::json canvas_frames(int threads) {
    try {
        nlohmann::json all = nlohmann::json::array();
        all.push_back(measure("12 × 12 heads, 768 wide", large_model(), threads));
        all.push_back(measure("24 × 16 heads, 256 wide", deep_model(), threads));
        return all;
    } catch (const Error& e) {
        return {{"note", e.what()}};
    }
}

}  // namespace glassformer::app::bench
