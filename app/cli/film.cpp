#include <cstdio>
#include <future>
#include <optional>
#include <utility>

#include "app/cli/cli.h"
#include "app/cli/screen.h"
#include "app/film/film_folder.h"
#include "app/language/tr.h"
#include "app/views/whole_model/forward_story.h"
#include "core/base/background.h"
#include "core/base/error.h"
#include "core/platform/process.h"
#include "core/platform/user_folders.h"

namespace glassformer::app {

namespace {

/// Where a film's pictures go: its folder, or a temporary one if the film is a file.
struct Pictures {
    explicit Pictures(const FilmArgs& args) : file(is_film_file(args.out)), one_size(file || args.caption) {
        if (file) scratch.emplace();
        folder.emplace(file ? scratch->path() / "pictures" : std::filesystem::path(args.out));
    }
    void finish(const FilmArgs& args, double rate) {
        finish_writing();
        if (file) write_film(*folder, args.out, rate);
    }
    /// All pictures of a film have one size: a panel may have grown by a pixel, a caption by a line.
    void take_size_of(const Image& picture) { width = picture.width, height = picture.height; }
    /// Writes it while the next one is drawn.
    void add(Image picture) {
        if (platform::stop_signal()) stop();
        if (width == 0) take_size_of(picture);
        if (one_size) picture = on_page(picture, {width, height});
        finish_writing();
        written = compute_beside("film", [this, image = std::move(picture)] { folder->write(image); });
    }
    [[noreturn]] void stop() {
        finish_writing();
        if (file) throw Error("stopped; no film was written");
        throw Error("stopped; pictures written so far: {1}", folder->written());
    }
    /// Waits for the last one; throws what went wrong.
    void finish_writing() {
        if (written.valid()) written.get();
    }

    bool file, one_size;
    int width = 0, height = 0;
    std::optional<platform::ScratchFolder> scratch;
    std::optional<FilmFolder> folder;
    std::future<void> written;  // last member: ends before the folder does
};

/// Films what Space plays in the view Whole model.
int film_forward(Screen& screen, const FilmArgs& args) {
    screen.compare(args.compare.has_value());
    if (!args.script.empty()) screen.play(args.script);
    screen.show_view_alone();
    screen.require_in_story(args.panel);
    Pictures film(args);
    screen.tell(0);
    screen.picture();  // some things are laid out from the previous frame
    const int stages = screen.tell(0);
    const int pictures = views::whole_model::story_pictures(stages);
    for (int i = 1; i <= pictures; ++i) {
        screen.tell(static_cast<float>(stages) * static_cast<float>(i) / static_cast<float>(pictures));
        const bool whole = !args.caption && (args.panel.empty() || args.panel == "window");
        film.add(whole ? screen.drawn() : screen.picture_of(args.panel, args.caption));
        std::fprintf(stderr, tr("picture %d of %d\n"), i, pictures);
    }
    film.finish(args, views::whole_model::story_pictures_a_second);
    std::printf(
        tr("%d picture of the forward pass, for %g a second, %d × %d pixels, written to %s\n",
           "%d pictures of the forward pass, for %g a second, %d × %d pixels, written to %s\n", film.folder->written()),
        film.folder->written(), views::whole_model::story_pictures_a_second, film.width, film.height, args.out.c_str());
    return 0;
}

}  // namespace

int run_film(const FilmArgs& args) {
    require_film_place(args.out);
    platform::catch_stop_signals();  // so that neither the pictures nor a program that encodes them are left behind
    Screen screen({args.look, args.from, args.text, args.compare});
    if (args.forward) return film_forward(screen, args);
    const std::vector<std::int64_t> steps = film_steps(screen.kept_steps(), args.every);
    if (steps.size() < 2)
        throw Error("{1} holds no steps of its training to make a film of; train with --run, or with --keyframes",
                    args.from);
    Pictures film(args);
    if (!args.script.empty()) screen.play(args.script);
    if (args.caption) {  // the last step's is the longest
        screen.look_at(steps.back());
        film.take_size_of(screen.picture_of(args.panel, true));
    }
    for (const std::int64_t& step : steps) {
        screen.look_at(step);
        film.add(screen.picture_of(args.panel, args.caption));
        std::fprintf(stderr, tr("picture %td of %zu: step %lld\n"), &step - steps.data() + 1, steps.size(),
                     static_cast<long long>(step));
    }
    film.finish(args, args.rate);
    std::printf(tr("%d picture of steps %lld to %lld, %d × %d pixels, written to %s\n",
                   "%d pictures of steps %lld to %lld, %d × %d pixels, written to %s\n", film.folder->written()),
                film.folder->written(), static_cast<long long>(steps.front()), static_cast<long long>(steps.back()),
                film.width, film.height, args.out.c_str());
    return 0;
}

}  // namespace glassformer::app
