#include <algorithm>
#include <array>
#include <atomic>
#include <chrono>
#include <cstdio>
#include <functional>
#include <memory>
#include <new>
#include <thread>

#include "app/assets/assets.h"
#include "app/cli/cli.h"
#include "app/desktop/app.h"
#include "app/desktop/export_picture.h"
#include "app/desktop/lecturer_window.h"
#include "app/desktop/settings.h"
#include "app/language/tr.h"
#include "app/panels/leaving/leaving_question.h"
#include "app/panels/setup/setup_state.h"
#include "app/session/startup.h"
#include "app/views/registry.h"
#include "app/window/glfw_window.h"
#include "core/base/error.h"
#include "core/platform/process.h"
#include "core/platform/program.h"
#include "core/platform/signals.h"
#include "core/platform/user_folders.h"

namespace glassformer::app {

namespace {

/// What was asked for on the command line counts for one start, unless something else is chosen in it.
std::string backend_to_keep(const Snapshot& last, const WindowArgs& args, const Settings& before) {
    const std::string now(name_of(last.computing.preference));
    return now == args.backend ? before.backend : now;
}

/// The settings that are choices on the screen, each beside its place there.
template <class Pass>
void each_choice(Settings& settings, ViewState& state, const Pass& pass) {
    pass(settings.theme, state.theme);
    pass(settings.scale, state.scale);
    pass(settings.stage_scale, state.window.stage_scale);
    pass(settings.reduce_motion, state.reduce_motion);
    pass(settings.recent, state.window.recent.folders);
    pass(settings.keep_session, state.window.keep_session);
    pass(settings.language, state.window.language);
    pass(settings.last_setup, state.own<LastSetup>().setup);
}

Settings current(App& app, const Surface& surface, const WindowArgs& args, const Settings& before) {
    Settings now = before;
    each_choice(now, app.state(), [](auto& setting, const auto& on_screen) { setting = on_screen; });
    const ViewState& state = app.lessons().outside(app.state());
    now.compare = state.compare;
    now.view = all_views()[state.view].name;
    now.panels = state.window.panels;
    const float content = surface.content_scale();
    now.width = static_cast<int>(static_cast<float>(surface.size().width) / content);
    now.height = static_cast<int>(static_cast<float>(surface.size().height) / content);
    now.place = surface.place();
    now.lessons = app.lessons().memory();
    now.backend = backend_to_keep(app.shown(), args, before);
    now.disk_steps = app.shown().disk_steps;
    return now;
}

/// What was kept at the last start, on the screen.
void show(Settings settings, App& app, Session& session) {
    ViewState& state = app.state();
    each_choice(settings, state, [](const auto& setting, auto& on_screen) { on_screen = setting; });
    state.compare = settings.compare;
    state.view = std::max(0, view_index(settings.view));
    state.window.panels = settings.panels;
    if (!state.compare) state.slot = telling_sentence(state, app.shown());
    app.lessons().memory() = settings.lessons;
    if (settings.disk_steps.on) session.send(command::KeepOnDisk{settings.disk_steps});
}

/// What was on the screen when the window was left last.
std::filesystem::path session_file() {
    const std::filesystem::path state = platform::state_folder();
    std::error_code ignored;
    if (!state.empty()) std::filesystem::create_directories(state, ignored);
    return state.empty() ? state : state / "session.glass";
}

/// With the model that is asked for, or that of the last session. One that cannot be opened is left where it is, and
/// told.
std::unique_ptr<Session> open_session(const Session::Options& options, const WindowArgs& args, const Settings& settings,
                                      std::string& trouble) {
    std::error_code error;
    if (args.model.empty() && settings.keep_session && std::filesystem::exists(session_file(), error)) {
        try {
            Session::Options last = options;
            last.checkpoint = session_file().string();
            return std::make_unique<Session>(std::move(last));
        } catch (const Error& e) {
            trouble = e.what();
        }
    }
    return std::make_unique<Session>(options);
}

/// Until the worker has done what it was asked, but no longer than a person waits for a window to close. Meanwhile
/// `go_on` is called. Returns whether it could do it.
bool wait_for(const Session& session, std::uint64_t errors_before, const std::function<void()>& go_on) {
    const auto end = std::chrono::steady_clock::now() + std::chrono::seconds(10);
    while (!session.settled() && std::chrono::steady_clock::now() < end) go_on();
    return session.settled() && session.snapshot()->error_number == errors_before;
}

/// The window closes: a run that is kept in a folder is brought up to date there when it pauses; one that is not wanted
/// leaves nothing. Returns whether all that is to be kept was saved; else the message is on the screen.
bool end_runs(Session& session, App& app, bool with_session, const std::function<void()>& draw) {
    const std::uint64_t errors = session.snapshot()->error_number;
    session.send(command::GiveUpOpening{});  // nobody will see a model that is still being made
    if (with_session && app.state().window.keep_session && !session_file().empty()) {
        session.hand_on(session_file(), app.handed_on());
        if (!wait_for(session, errors, draw)) return false;
    }
    session.send(command::EndCleanly{});
    return wait_for(session, errors, draw);
}

/// A signal ends the program, and nobody was asked: what is not saved is offered at the next start.
void pause_runs(Session& session) {
    const std::uint64_t errors = session.snapshot()->error_number;
    session.send(command::GiveUpOpening{});
    session.send(command::Pause{});
    if (!wait_for(session, errors, [] { std::this_thread::sleep_for(std::chrono::milliseconds(10)); }))
        std::fprintf(stderr, "glassformer: %s\n",
                     session.settled() ? session.snapshot()->error.c_str()
                                       : "the model did not come to rest within 10 seconds; steps since the last one "
                                         "that was kept may be lost");
}

}  // namespace

int run_window(const WindowArgs& args) {
    platform::catch_stop_signals();
    const Settings settings = load_settings(settings_file());
    if (args.language.empty() && !settings.language.empty()) use_language(settings.language, locale_folder());
    WindowOptions window;
    window.width = settings.width;
    window.height = settings.height;
    window.place = settings.place;
    const std::unique_ptr<Surface> surface = open_window(window);
    ImGuiHost host(*surface, {settings.scale, settings.theme});
    std::string trouble;
    Session::Options options = session_options(args.model);
    std::atomic<bool> training{false};  // shown last: then the next snapshot comes by itself, in a tenth of a second
    options.on_snapshot = [&] { training ? surface->request_frame() : surface->request_redraw(); };
    options.recovery = recovery_folder();
    options.compute.preference = backend_preference(args.backend.empty() ? settings.backend : args.backend);
    options.compute.context = [&surface] { return surface->create_shared_context(); };
    const std::unique_ptr<Session> opened = open_session(options, args, settings, trouble);
    Session& session = *opened;
    App app(session, assets_folder() / "lessons");
    if (const std::filesystem::path data = platform::data_folder(); !data.empty())
        app.lessons().look_also(data / "lessons");
    if (const std::filesystem::path kept = platform::state_folder(); !kept.empty())
        app.lessons().keep_homework_in(kept / "homework");
    show(settings, app, session);
    app.state().window.languages = languages_in(locale_folder());
    if (!trouble.empty()) app.state().window.notice = {trouble};
    LecturerWindow lecturer(app, *surface);
    KeptSettings kept(settings_file(), settings);
    const auto may_stay = [&] {
        surface->cancel_close();
        surface->request_redraw();
    };
    bool quit = false, told = false;  // what could not be saved
    const auto draw = [&] {
        take_film_picture(app, host, *surface);
        take_export(app, host, *surface);
        lecturer.follow();
        host.begin_frame([&] { lecturer.point(); });
        app.draw(host);
        host.end_frame_and_draw();
        lecturer.draw();
        quit = app.take_quit() && app.may_close();
        surface->present();
        surface->set_full_screen(app.state().presenter);
        if (training.exchange(app.shown().state == RunState::training) && !training) surface->request_redraw();
    };
    const auto draw_when_asked = [&] {
        if (surface->wait_for_events(true)) draw();
    };
    // What is left for saving when there is no memory any more.
    auto spare = std::make_unique<std::array<char, std::size_t{4} << 20>>();
    try {
        while (!platform::stop_signal()) {
            if ((surface->should_close() || app.closing() || quit) && app.may_close()) {
                if (end_runs(session, app, !told, draw_when_asked) || told) break;
                told = true;  // the person reads why, and may close it again
                quit = false;
                app.state().own<Leaving>() = {};
                may_stay();
            }
            if (surface->should_close()) may_stay();
            if (!app.state().presenter)
                kept.follow(current(app, *surface, args, settings));  // not with the screen's size
            if (!surface->wait_for_events(app.moving() || host.waits() ||
                                          host.items().find("tooltip/waiting") != nullptr)) {
                if (app.poll_lessons()) surface->request_redraw();
                if (lecturer.ticks()) surface->request_frame();
                continue;
            }
            for (const std::string& path : surface->take_dropped()) app.open_dropped(path);
            draw();
        }
    } catch (const std::bad_alloc&) {
        spare.reset();
        pause_runs(session);
        throw;
    }
    platform::end_programs();  // a film that is still being made has two seconds
    if (platform::stop_signal()) pause_runs(session);
    surface->set_full_screen(false);  // its size is kept for the next start
    kept.finish(current(app, *surface, args, settings));
    return platform::stop_signal() ? 128 + platform::stop_signal() : 0;
}

}  // namespace glassformer::app
