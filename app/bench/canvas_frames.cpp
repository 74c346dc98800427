#include "app/bench/drawing.h"
#include "app/bench/random_model.h"
#include "app/common/panels_open.h"
#include "app/views/registry.h"
#include "app/views/whole_model/canvas.h"
#include "app/window/offscreen.h"
#include "core/base/error.h"

namespace glassformer::app::bench {

namespace {

constexpr int canvas_tokens = 512, frames_a_way = 40, most_frames_before = 2000;

/// 24 blocks of 16 heads each.
TransformerConfig deep_model() {
    TransformerConfig c = large_model();
    c.n_layers = 24, c.n_heads = 16, c.d_model = 256, c.d_mlp = 1024;
    return c;
}

/// The whole model of a session alone in the window, with its panels closed.
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
        state.own<PanelsOpen>() = {false, false, false};
    }

    /// One way of the camera, a step a frame: what building and what the whole frame takes.
    template <class Step>
    nlohmann::json along(const char* name, CanvasLevel level, const Step& step) {
        CanvasCamera& camera = app_.state().own<CanvasState>().camera;
        camera.go(level, 0, true);
        const Clock::time_point start = Clock::now();
        int warm = 0;
        do frame(app_, host_, *surface_);
        while (++warm < 3 || (app_.state().more_to_compute && warm < most_frames_before));
        nlohmann::json result{{"name", name}, {"until_all_is_there_ms", elapsed_ms(start)}};
        Times built, drawn;
        for (int i = 0; i < frames_a_way; ++i) {
            step(camera, i);
            const Clock::time_point before = Clock::now();
            built.ms.push_back(frame(app_, host_, *surface_));
            drawn.ms.push_back(elapsed_ms(before));
        }
        result["build"] = summary(built), result["frame"] = summary(drawn);
        result["vertices"] = ImGui::GetDrawData() ? ImGui::GetDrawData()->TotalVtxCount : 0;
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
    const auto still = [](CanvasCamera&, int) {};
    nlohmann::json ways = nlohmann::json::array();
    ways.push_back(window.along("the whole", CanvasLevel::model, still));
    ways.push_back(window.along("zooming in", CanvasLevel::model, [](CanvasCamera& camera, int) {
        camera.zoom_by(1.06f, {0.4f, 0.6f});
    }));
    ways.push_back(window.along("panning, near", CanvasLevel::model, [](CanvasCamera& camera, int i) {
        if (i == 0) camera.zoom_by(8, {0.2f, 0.8f});
        camera.pan({0.06f, -0.03f});
    }));
    ways.push_back(window.along("a block", CanvasLevel::block, still));
    ways.push_back(window.along("panning in a block", CanvasLevel::block, [](CanvasCamera& camera, int i) {
        if (i == 0) camera.zoom_by(2, {0.1f, 0.1f});
        camera.pan({0.02f, 0.01f});
    }));
    ways.push_back(window.along("a head", CanvasLevel::head, still));
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
