#pragma once

#include <functional>
#include <string>

#include "app/script/runner.h"
#include "app/window/imgui_host.h"
#include "app/window/offscreen.h"

/// A 960 × 600 offscreen surface with its ImGuiHost; needs no display.
struct Screen {
    std::unique_ptr<glassformer::app::Offscreen> surface;
    glassformer::app::ImGuiHost host;
    std::function<void(const glassformer::app::Ui&)> draw;

    explicit Screen(const glassformer::app::HostOptions& options = {})
        : surface(glassformer::app::open_offscreen({960, 600})), host(*surface, options) {}

    void frame(const std::function<void()>& script = {}) {
        host.begin_frame(script);
        if (draw) draw(host.ui());
        host.end_frame_and_draw();
        surface->present();
    }

    /// Plays the script. Returns "", or the message of the step that failed.
    std::string play(const std::string& source, glassformer::app::ScriptRunner::Hooks hooks = {}) {
        glassformer::app::ScriptRunner runner(glassformer::app::parse_script(source, "test"), std::move(hooks));
        while (!runner.finished()) {
            frame([&] { runner.step(host.items(), host.ui().scale); });
            runner.after_frame();
        }
        return runner.message();
    }
};
