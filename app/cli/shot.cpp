#include <array>
#include <cstdio>
#include <filesystem>

#include "app/assets/assets.h"
#include "app/cli/cli.h"
#include "app/cli/model_text.h"
#include "app/cli/screen.h"
#include "app/window/png.h"
#include "core/base/error.h"
#include "core/io/output_file.h"

namespace glassformer::app {

int run_shot(const ShotArgs& args) {
    if (args.panel.empty() && std::filesystem::path(args.out).extension() != ".png")
        throw Error("a picture of the whole window is a .png; for " + args.out + " name a panel with --panel");
    require_output(args.out, file_kind(args.out), std::array{model_folder(args.model), args.script});
    Screen screen({{args.width, args.height},
                   args.dark ? ThemeKind::dark : ThemeKind::light,
                   args.scale,
                   args.model,
                   with_pair(args.model, args.text, args.pair),
                   args.compare,
                   args.backend});
    if (!args.script.empty()) screen.play(args.script);
    if (!args.panel.empty()) {
        screen.write_panel(args.out, args.panel, args.times, args.caption);
        std::printf("%s written to %s\n", args.panel.c_str(), args.out.c_str());
        return 0;
    }
    write_png(args.out, screen.picture());
    std::printf("%d × %d pixels written to %s\n", args.width, args.height, args.out.c_str());
    return 0;
}

}  // namespace glassformer::app
