#include <chrono>
#include <cstdio>
#include <thread>

#include "app/app.h"
#include "app/cli/cli.h"
#include "app/cli/startup.h"
#include "app/script/runner.h"
#include "app/window/offscreen.h"
#include "app/window/png.h"
#include "core/base/error.h"

namespace glassformer::app {

namespace {

/// ImGui lays some things out from the frame before, so a picture is the last of a few frames.
constexpr int settle_frames = 3;

void frame(App& app, ImGuiHost& host, Surface& surface, const std::function<void()>& script = {}) {
    host.begin_frame(script);
    app.draw(host);
    host.end_frame_and_draw();
    surface.present();
}

void play(const ShotArgs& args, App& app, ImGuiHost& host, Offscreen& surface) {
    ScriptRunner runner(load_script(args.script),
                        {[&](const std::string& path) { write_png(path, surface.read()); }, {}});
    runner.on_lesson([&](const std::string& name, int step) { app.start_lesson(name, step); });
    while (!runner.finished()) {
        frame(app, host, surface, [&] { runner.step(host.items(), host.ui().scale); });
        runner.after_frame();
    }
    if (runner.failed()) throw Error(runner.message());
}

}  // namespace

int run_shot(const ShotArgs& args) {
    const std::unique_ptr<Offscreen> surface = open_offscreen({args.width, args.height});
    Session session(session_options(args.model, args.text, args.compare));
    const ThemeKind theme = args.dark ? ThemeKind::dark : ThemeKind::light;
    ImGuiHost host(*surface, {args.scale, theme});
    host.ui().reduce_motion = true;
    App app(session, assets_folder() / "lessons");
    app.state().theme = theme;
    app.state().scale = args.scale;
    app.state().reduce_motion = true;
    for (int i = 0; i < settle_frames; ++i) frame(app, host, *surface);
    while (!session.settled()) std::this_thread::sleep_for(std::chrono::milliseconds(1));
    if (!args.script.empty()) play(args, app, host, *surface);
    for (int i = 0; i < settle_frames; ++i) frame(app, host, *surface);
    write_png(args.out, surface->read());
    std::printf("%d × %d pixels written to %s\n", args.width, args.height, args.out.c_str());
    return 0;
}

}  // namespace glassformer::app
