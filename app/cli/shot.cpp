#include <cstdio>

#include "app/cli/checks.h"
#include "app/cli/cli.h"
#include "app/cli/screen.h"
#include "app/window/png.h"

namespace glassformer::app {

int run_shot(const ShotArgs& args) {
    require_writable_file(args.out);
    Screen screen({{args.width, args.height},
                   args.dark ? ThemeKind::dark : ThemeKind::light,
                   args.scale,
                   args.model,
                   args.text,
                   args.compare,
                   args.backend});
    if (!args.script.empty()) screen.play(args.script);
    write_png(args.out, screen.picture());
    std::printf("%d × %d pixels written to %s\n", args.width, args.height, args.out.c_str());
    return 0;
}

}  // namespace glassformer::app
