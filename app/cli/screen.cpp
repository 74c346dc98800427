#include "app/cli/screen.h"

#include <map>

#include "app/assets/assets.h"
#include "app/export/picture_files.h"
#include "app/film/film_folder.h"
#include "app/lessons/lesson_file.h"
#include "app/script/runner.h"
#include "app/session/startup.h"
#include "app/views/registry.h"
#include "app/views/whole_model/canvas.h"
#include "app/window/png.h"
#include "core/base/background.h"
#include "core/base/error.h"
#include "core/io/output_file.h"

namespace glassformer::app {

namespace {

/// ImGui lays some things out from the previous frame, so a picture is the last of a few frames.
constexpr int settle_frames = 3;

Error gone(const std::string& item) { return Error("the item \"{1}\" is no longer on the screen", item); }

/// The item for a picture: with the names of its rows and columns, if it has them.
const Item* whole(const Items& items, const std::string& item) {
    const Item* named = items.find(item + " with names");
    return named ? named : items.find(item);
}

/// True if the areas that it scrolls in show all of it.
bool in_sight(const Items& items, const Item& item) {
    for (int at = item.area; at >= 0; at = items.areas()[at].outer) {
        const ScrolledArea& area = items.areas()[at];
        if (item.min.y < area.min.y - 1 || item.max.y > area.max.y + 1) return false;
    }
    return true;
}

ThemeKind theme_of(const Look& look) { return look.dark ? ThemeKind::dark : ThemeKind::light; }

Session::Options session_of(const Screen::Options& screen, Offscreen& surface) {
    Session::Options options = session_options(screen.model, screen.a, screen.b);
    options.compute.preference = backend_preference(screen.backend);
    options.compute.context = [&surface] { return surface.create_shared_context(); };
    return options;
}

}  // namespace

Screen::Screen(const Options& options)
    : surface_(open_offscreen({options.look.width, options.look.height})),
      session_(session_of(options, *surface_)),
      host_(*surface_, {options.look.scale, theme_of(options.look)}),
      app_(session_, assets_folder() / "lessons") {
    host_.ui().reduce_motion = true;
    app_.state().theme = theme_of(options.look);
    app_.state().scale = options.look.scale;
    app_.state().reduce_motion = true;
    for (int i = 0; i < settle_frames; ++i) draw();
    while (!session_.settled()) let_tasks_go_on(0.001);
    const std::shared_ptr<const Snapshot> shown = session_.snapshot();
    if (options.a && !shown->sentences[0].error.empty()) throw Error(shown->sentences[0].error);
    if (options.b && !shown->sentences[1].error.empty()) throw Error(shown->sentences[1].error);
}

void Screen::draw(const std::function<void()>& script) {
    take_film_picture(app_, host_, *surface_);
    take_export(app_, host_, *surface_);
    host_.begin_frame(script);
    app_.draw(host_);
    host_.end_frame_and_draw();
    surface_->present();
}

void Screen::play(const std::string& script) {
    ScriptRunner runner(load_script(script), {[&](const std::string& path) {
                                                  require_output(path, FileKind::png);
                                                  write_png(path, surface_->read());
                                              },
                                              {}});
    runner.on_lesson([&](const std::string& name, int step) { app_.start_lesson(name, step); });
    while (!runner.finished()) {
        draw([&] { runner.step(host_.items(), host_.ui().scale); });
        runner.after_frame();
    }
    if (runner.failed()) throw Error(runner.message());
}

void Screen::begin_lesson(const std::string& lesson) {
    const std::filesystem::path file = lesson;
    const bool is_file = std::filesystem::is_regular_file(file);
    if (is_file) load_lesson(file);  // says what is wrong with it
    if (is_file) app_.lessons().look_also(file);
    app_.start_lesson(is_file ? app_.lessons().folder().name_of(file) : lesson);
    do {  // a model may have to be opened for it
        rest();
        if (const std::string& why = app_.lessons().refusal(); !why.empty()) throw Error(why);
    } while (app_.lessons().open() && !app_.lessons().on_screen());
    if (!app_.lessons().open()) throw Error("the lesson \"{1}\" did not start on this model", lesson);
}

void Screen::hand_on(const std::string& file) {
    rest();
    const std::uint64_t errors = session_.snapshot()->error_number;
    session_.hand_on(file, app_.handed_on());
    rest();
    const std::shared_ptr<const Snapshot> shown = session_.snapshot();
    if (shown->error_number != errors) throw Error(shown->error);
}

void Screen::look_at(std::int64_t step) {
    const std::uint64_t errors = session_.snapshot()->error_number;
    session_.send(command::LookAt{step});
    rest();
    const std::shared_ptr<const Snapshot> shown = session_.snapshot();
    if (shown->error_number != errors) throw Error(shown->error);
}

/// Draws until everything that was sent is on screen, and also what views compute and request by themselves.
void Screen::rest() {
    for (int still = 0; still < settle_frames;) {
        while (!session_.settled()) let_tasks_go_on(0.001);
        draw();
        still = session_.settled() && !app_.state().more_to_compute ? still + 1 : 0;
    }
}

void Screen::show_view_alone() { app_.state().window.bare_view = true; }

int Screen::tell(float stages) {
    app_.state().view = view_index("Whole model");
    views::whole_model::ForwardStory& story = app_.state().own<views::whole_model::CanvasState>().story;
    story.open = true, story.playing = false, story.filmed = true, story.at = stages;
    do draw();  // a large model's numbers are computed on another thread
    while (app_.state().more_to_compute);
    return app_.state().own<views::whole_model::CanvasState>().story.stage_count;
}

void Screen::require_in_story(const std::string& item) {
    constexpr int most_named = 8;
    if (item.empty() || item == "window") return;
    const int stages = tell(0);
    const Image begin = picture();
    std::map<std::string, Image> parts;
    for (const Item& one : host_.items().all()) parts.emplace(one.label, cut_out(begin, one));
    tell(static_cast<float>(stages));
    const Image end = picture();
    std::string names = "window";
    int named = 0;
    for (const auto& [label, part] : parts) {
        const Item* const now = host_.items().find(label);
        if (!now || cut_out(end, {now->min, now->max}).rgba == part.rgba) continue;
        if (label == item) return;
        if (named++ < most_named) names += ", " + label;
    }
    throw Error(
        "the item \"{1}\" does not change during the forward pass, so all its pictures would be the same, or it "
        "is not there from the start; leave --panel out, or name one of: {2}",
        item, names);
}

Image Screen::picture() {
    for (int i = 0; i < settle_frames; ++i) draw();
    return surface_->read();
}

Image Screen::picture_of(const std::string& item, bool caption) {
    if (caption) return to_image(exported(item, true).drawing, 1);
    if (item.empty() || item == "window") return picture();
    turn_to(item);
    const Image all = picture();
    const Item* found = whole(host_.items(), item);
    if (!found) throw gone(item);
    return cut_out(all, {found->min, found->max});
}

void Screen::turn_to(const std::string& item) {
    if (item == "window") return;
    std::string& kept = app_.state().window.item_in_sight;
    if (const Item* found = whole(host_.items(), item); found && found->label == kept) return;
    kept = item;
    show_view_of(item);
    if (const Item* found = whole(host_.items(), item)) kept = found->label;
    rest();
    const Item* found = whole(host_.items(), item);
    if (!found) throw gone(item);
    if (!in_sight(host_.items(), *found))
        throw Error("the item \"{1}\" does not fit on the screen; give a larger --size", item);
}

void Screen::show_view_of(const std::string& item) {
    if (host_.items().find(item)) return;
    ViewState& state = app_.state();
    if (item.starts_with("B/")) state.compare = true;
    for (int view = 0; view < static_cast<int>(all_views().size()); ++view) {
        state.view = view;
        rest();
        if (host_.items().find(item)) return;
    }
    throw Error(
        "there is no item \"{1}\" on the screen, nor on the first page of any view; play a --script that brings "
        "it there",
        item);
}

ExportedPanel Screen::exported(const std::string& item, bool caption) {
    for (int i = 0; i < settle_frames; ++i) draw();
    turn_to(item);
    const PixelSize size = surface_->size();
    const auto where = [&](const Items& items) -> std::optional<Box> {
        if (item == "window") return Box{{0, 0}, {static_cast<float>(size.width), static_cast<float>(size.height)}};
        const Item* found = whole(items, item);
        if (!found) throw gone(item);
        return Box{found->min, found->max};
    };
    const auto text = [&] { return caption ? app_.export_caption(host_) : std::string(); };
    return export_panel(app_, host_, *surface_, where, text, item == "window" ? Controls::shown : Controls::hidden);
}

void Screen::write_panel(const std::string& file, const std::string& item, int times, bool caption) {
    ExportedPanel panel = exported(item, caption);
    while (!panel.complete) {
        let_tasks_go_on(0.001);
        panel = exported(item, caption);
    }
    app::write_panel(file, panel, static_cast<float>(times), app_.export_caption(host_));
}

}  // namespace glassformer::app
