#include "app/app.h"
#include "app/cli/cli.h"
#include "app/cli/startup.h"
#include "app/settings.h"
#include "app/window/glfw_window.h"
#include "app/window/input.h"

namespace glassformer::app {

namespace {

Settings current(const ViewState& state, const Surface& surface) {
    const float content = surface.content_scale();
    return {state.theme,
            state.scale,
            state.compare,
            state.reduce_motion,
            static_cast<int>(static_cast<float>(surface.size().width) / content),
            static_cast<int>(static_cast<float>(surface.size().height) / content)};
}

}  // namespace

int run_window(const WindowArgs& args) {
    const Settings settings = load_settings(settings_file());
    WindowOptions window;
    window.width = settings.width;
    window.height = settings.height;
    const std::unique_ptr<Surface> surface = open_window(window);
    ImGuiHost host(*surface, {settings.scale, settings.theme});
    Session::Options options = session_options(args.model);
    options.on_snapshot = [&surface] { surface->request_redraw(); };
    Session session(std::move(options));
    App app(session);
    ViewState& state = app.state();
    state.theme = settings.theme;
    state.scale = settings.scale;
    state.compare = settings.compare;
    state.reduce_motion = host.ui().reduce_motion = settings.reduce_motion;
    while (!surface->should_close()) {
        const bool waiting = host.items().find("tooltip/waiting") != nullptr;
        if (!surface->wait_for_events(waiting)) continue;
        host.begin_frame();
        app.draw(host);
        if (ctrl_down() && key_pressed(Key::q)) break;
        host.end_frame_and_draw();
        surface->present();
    }
    save_settings(settings_file(), current(state, *surface));
    return 0;
}

}  // namespace glassformer::app
