#include <cstdio>

#include "app/cli/cli.h"
#include "app/cli/screen.h"
#include "app/film/film_folder.h"
#include "core/base/error.h"

namespace glassformer::app {

int run_film(const FilmArgs& args) {
    Screen screen({{args.width, args.height},
                   args.dark ? ThemeKind::dark : ThemeKind::light,
                   args.scale,
                   args.from,
                   args.text,
                   args.compare});
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
