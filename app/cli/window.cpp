#include <algorithm>
#include <array>
#include <atomic>
#include <chrono>
#include <functional>
#include <memory>
#include <new>
#include <optional>
#include <utility>

#include "app/assets/assets.h"
#include "app/cli/cli.h"
#include "app/common/links.h"
#include "app/desktop/app.h"
#include "app/desktop/export_picture.h"
#include "app/desktop/lecturer_window.h"
#include "app/desktop/settings.h"
#include "app/language/tr.h"
#include "app/panels/leaving/leaving_question.h"
#include "app/panels/setup/setup_state.h"
#include "app/session/startup.h"
#include "app/views/registry.h"
#include "app/window/main_loop.h"
#include "app/window/surface.h"
#include "core/base/background.h"
#include "core/platform/process.h"
#include "core/platform/program.h"
#include "core/platform/user_folders.h"

namespace glassformer::app {

namespace {

/// A backend from the command line counts for one start, unless another is chosen in it.
std::string backend_to_keep(const Snapshot& last, const WindowArgs& args, const Settings& before) {
    const std::string now(name_of(last.computing.preference));
    return now == args.backend ? before.backend : now;
}

/// The settings that are choices on the screen, each with its variable there.
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

/// Shows the settings kept at the last start.
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

/// The file for what is on the screen when the window closes; empty if there is no state folder.
std::filesystem::path session_file() {
    const std::filesystem::path state = platform::state_folder();
    std::error_code ignored;
    if (!state.empty()) std::filesystem::create_directories(state, ignored);
    return state.empty() ? state : state / "session.glass";
}

/// Opens the requested model, or that of the last session; `trouble` as in session_left_in(), or says what was left
/// there and not opened.
std::unique_ptr<Session> open_session(const Session::Options& options, const WindowArgs& args, const Settings& settings,
                                      std::string& trouble) {
    std::error_code error;
    const bool left = settings.keep_session && std::filesystem::exists(session_file(), error);
    if (left && args.model.empty())
        if (std::unique_ptr<Session> last = session_left_in(session_file(), options, trouble)) return last;
    auto asked = std::make_unique<Session>(options);
    if (left && !args.model.empty()) trouble = left_training_aside(session_file());
    return asked;
}

/// Waits until the worker has done what it was asked, but no longer than a user waits for a window to close. Meanwhile
/// calls `go_on`. Returns true if the worker succeeded.
bool wait_for(const Session& session, std::uint64_t errors_before, const std::function<void()>& go_on) {
    const auto end = std::chrono::steady_clock::now() + std::chrono::seconds(10);
    while (!session.caught_up() && std::chrono::steady_clock::now() < end) {
        go_on();
        take_turns(0.01);
    }
    return session.caught_up() && session.snapshot()->error_number == errors_before;
}

/// The files and folders that the worker has not written to yet, for a message; `file` may be empty.
std::string unwritten(const Session& session, const std::filesystem::path& file) {
    if (session.caught_up()) return {};
    std::string all = file.string();
    for (const std::string& folder : folders_behind(*session.snapshot())) all += (all.empty() ? "" : ", ") + folder;
    return all;
}

/// What became of the runs when the window was to close.
struct Ending {
    bool saved = true;      // all that is to be kept; otherwise the worker's message is on the screen, or `late` is set
    std::string late = {};  // the files and folders that could not be written in time
};

/// Ends the runs when the window closes: a run kept in a folder is brought up to date there; one that is not wanted
/// leaves nothing.
Ending end_runs(Session& session, App& app, bool with_session, const std::function<void()>& draw) {
    const std::uint64_t errors = session.snapshot()->error_number;
    const bool leaves = with_session && app.state().window.keep_session && !session_file().empty();
    session.send(command::GiveUpOpening{});  // nobody will see a model that is still being made
    if (leaves) {
        session.leave_off(session_file(), app.left_off());
        if (!wait_for(session, errors, draw)) return {false, unwritten(session, session_file())};
    }
    session.send(command::EndCleanly{});
    if (wait_for(session, errors, draw)) return {};
    const std::string late = unwritten(session, {});
    return {session.snapshot()->error_number == errors && late.empty(),
            late};  // leftovers of unwanted runs harm nobody
}

/// For when a signal ends the program, and nobody was asked: what is not saved is offered at the next start.
void pause_runs(Session& session) {
    const std::uint64_t errors = session.snapshot()->error_number;
    session.send(command::GiveUpOpening{});
    session.send(command::Pause{});
    if (!wait_for(session, errors, [] { let_tasks_go_on(0.01); }))
        tell(session.caught_up()
                 ? session.snapshot()->error
                 : N_("training did not stop within 10 seconds; steps since the last kept one may be lost"));
}

/// The window and all that is shown in it, from its opening to its closing.
class WindowRun {
public:
    explicit WindowRun(WindowArgs args)
        : args_(std::move(args)),
          settings_(start_settings(args_)),
          surface_(open_window({.width = settings_.width, .height = settings_.height, .place = settings_.place})),
          host_(*surface_, {settings_.scale, settings_.theme}),
          session_(open_session(options(), args_, settings_, trouble_)),
          app_(*session_, assets_folder() / "lessons"),
          lecturer_(app_, *surface_),
          kept_(settings_file(), settings_) {
        if (const std::filesystem::path data = platform::data_folder(); !data.empty())
            app_.lessons().look_also(data / "lessons");
        if (const std::filesystem::path kept = platform::state_folder(); !kept.empty())
            app_.lessons().keep_homework_in(kept / "homework");
        show(settings_, app_, *session_);
        std::vector<Language>& languages = app_.state().window.languages;
        languages = languages_in(locale_folder());
        std::erase_if(languages, [](const Language& one) { return one.code == "en_XA"; });  // for tests only
        app_.state().own<Links>() = {.open = args_.link, .address = surface_->address()};
        tell_what_is_not_kept();
        if (!trouble_.empty()) app_.state().window.notice = {trouble_};
    }

    /// A frame, or a wait for one. Returns the program's exit code at the end.
    std::optional<int> turn() {
        try {
            if (platform::stop_signal() || wants_to_end()) return end();
            follow_events();
            return std::nullopt;
        } catch (const std::bad_alloc&) {
            spare_.reset();
            pause_runs(*session_);
            throw;
        }
    }

private:
    static Settings start_settings(const WindowArgs& args) {
        const Settings settings = load_settings(settings_file());
        if (args.language.empty() && !settings.language.empty()) use_language(settings.language, locale_folder());
        return settings;
    }

    Session::Options options() {
        Session::Options options = session_options(args_.model);
        options.on_snapshot = [this] { training_ ? surface_->request_frame() : surface_->request_redraw(); };
        if (surface_->keeps_nothing().empty()) options.recovery = recovery_folder();
        options.compute.preference = backend_preference(args_.backend.empty() ? settings_.backend : args_.backend);
        options.compute.context = [this] { return surface_->create_shared_context(); };
        return options;
    }

    void draw() {
        take_film_picture(app_, host_, *surface_);
        take_export(app_, host_, *surface_);
        lecturer_.follow();
        host_.begin_frame([this] { lecturer_.point(); });
        app_.draw(host_);
        host_.end_frame_and_draw();
        lecturer_.draw();
        quit_ = app_.take_quit() && app_.may_close();
        surface_->present();
        surface_->set_full_screen(app_.state().presenter);
        surface_->ask_before_close(!unsaved_runs(app_.shown(), true).empty());
        if (training_.exchange(app_.shown().state == RunState::training) && !training_) surface_->request_redraw();
    }

    void tell_what_is_not_kept() {
        const std::string why = surface_->keeps_nothing();
        if (why == std::exchange(unkept_, why) || why.empty()) return;
        app_.state().window.notice = {tr(why)};
        surface_->request_redraw();
    }

    void tell_trouble() {
        const std::string why = surface_->take_trouble();
        if (why.empty()) return;
        app_.state().window.notice = {tr(why)};
        surface_->request_redraw();
    }

    void may_stay() {
        surface_->cancel_close();
        surface_->request_redraw();
    }

    bool wants_to_end() {
        if ((surface_->should_close() || app_.closing() || quit_) && app_.may_close()) {
            const auto draw_when_asked = [this] {
                if (surface_->wait_for_events(true)) draw();
            };
            const Ending ending = end_runs(*session_, app_, !told_, draw_when_asked);
            if (!ending.late.empty() && told_)
                tell(filled_with(N_("the window was closed before this was saved: {1}"), ending.late));
            if (ending.saved || told_) return true;
            if (!ending.late.empty())
                app_.state().window.notice = {
                    filled(tr("Not saved within 10 seconds: {1}. The window stays open until you close it again."),
                           {ending.late})};
            told_ = true;  // the user reads why, and may close it again
            quit_ = false;
            app_.state().own<Leaving>() = {};
            app_.state().own<NothingLeft>().fails = true;
            may_stay();
        }
        if (surface_->should_close()) may_stay();
        return false;
    }

    void follow_events() {
        tell_what_is_not_kept();
        tell_trouble();
        if (!app_.state().presenter)
            kept_.follow(current(app_, *surface_, args_, settings_));  // not the size of a full screen
        if (!surface_->wait_for_events(app_.moving() || host_.waits() ||
                                       host_.items().find("tooltip/waiting") != nullptr)) {
            if (app_.poll_lessons()) surface_->request_redraw();
            if (lecturer_.ticks()) surface_->request_frame();
            return;
        }
        for (const std::string& path : surface_->take_dropped())
            has_link(path) ? app_.open_link(path) : app_.open_dropped(path);
        draw();
    }

    int end() {
        platform::end_programs();  // a film still being made has two seconds
        if (platform::stop_signal()) pause_runs(*session_);
        surface_->set_full_screen(false);  // to keep the window's own size for the next start
        kept_.finish(current(app_, *surface_, args_, settings_));
        return platform::stop_signal() ? 128 + platform::stop_signal() : 0;
    }

    const WindowArgs args_;
    const Settings settings_;
    const std::unique_ptr<Surface> surface_;
    ImGuiHost host_;
    std::string trouble_, unkept_;
    std::atomic<bool> training_{false};  // shown last; the next snapshot then comes by itself, in a tenth of a second
    const std::unique_ptr<Session> session_;
    App app_;
    LecturerWindow lecturer_;
    KeptSettings kept_;
    bool quit_ = false, told_ = false;  // told_: the user knows what could not be saved
    // A reserve of memory for saving when there is no other.
    using Spare = std::array<char, std::size_t{4} << 20>;
    std::unique_ptr<Spare> spare_ = std::make_unique<Spare>();
};

}  // namespace

int run_window(const WindowArgs& args) {
    platform::catch_stop_signals();
    const auto run = std::make_shared<WindowRun>(args);
    return run_main_loop([run] { return run->turn(); });
}

}  // namespace glassformer::app
