#include <algorithm>
#include <cstdio>

#include "app/cli/cli.h"
#include "app/cli/screen.h"
#include "app/film/film_folder.h"
#include "app/views/whole_model/forward_story.h"
#include "core/base/error.h"

namespace glassformer::app {

namespace {

constexpr float pictures_a_second = 10;

/// What Space plays in the view Whole model.
int film_forward(Screen& screen, const FilmArgs& args) {
    FilmFolder folder(args.out);
    if (!args.script.empty()) screen.play(args.script);
    const int stages = screen.tell(0);
    const int pictures =
        std::max(1, static_cast<int>(story_seconds(stages) * static_cast<float>(stages) * pictures_a_second));
    for (int i = 1; i <= pictures; ++i) {
        screen.tell(static_cast<float>(stages) * static_cast<float>(i) / static_cast<float>(pictures));
        folder.write(screen.picture());
        std::fprintf(stderr, "picture %d of %d\n", i, pictures);
    }
    std::printf("%d pictures of the forward pass, for %g a second, %d × %d pixels, written to %s\n", folder.written(),
                static_cast<double>(pictures_a_second), args.width, args.height, args.out.c_str());
    return 0;
}

}  // namespace

int run_film(const FilmArgs& args) {
    Screen screen({{args.width, args.height},
                   args.dark ? ThemeKind::dark : ThemeKind::light,
                   args.scale,
                   args.from,
                   args.text,
                   args.compare});
    if (args.forward) return film_forward(screen, args);
    const std::vector<std::int64_t> steps = film_steps(screen.kept_steps(), args.every);
    if (steps.size() < 2)
        throw Error(args.from + " holds no steps of its training to make a film of; train with --run, or with " +
                    "--keyframes");
    FilmFolder folder(args.out);
    if (!args.script.empty()) screen.play(args.script);
    for (const std::int64_t step : steps) {
        screen.look_at(step);
        folder.write(screen.picture());
        std::fprintf(stderr, "picture %d of %zu: step %lld\n", folder.written(), steps.size(),
                     static_cast<long long>(step));
    }
    std::printf("%d pictures of steps %lld to %lld, %d × %d pixels, written to %s\n", folder.written(),
                static_cast<long long>(steps.front()), static_cast<long long>(steps.back()), args.width, args.height,
                args.out.c_str());
    return 0;
}

}  // namespace glassformer::app
