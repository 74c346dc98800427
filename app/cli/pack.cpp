#include <array>
#include <cstdio>
#include <filesystem>

#include "app/assets/assets.h"
#include "app/cli/cli.h"
#include "app/cli/screen.h"
#include "app/cli/web_page.h"
#include "app/language/tr.h"
#include "core/base/error.h"
#include "core/io/glass_file.h"
#include "core/io/output_file.h"

namespace glassformer::app {

int run_pack(const PackArgs& args) {
    if (std::filesystem::path(args.out).extension() != glass_ending)
        throw Error("the name of a file for students ends in {1}, unlike {2}", glass_ending, args.out);
    require_output(args.out, FileKind::glass, std::array{model_folder(args.from), args.lesson, args.script});
    if (!args.web.empty())
        require_output(args.web, FileKind::html, std::array{args.page, args.out, args.lesson, args.script});
    Screen screen({.model = args.from, .a = args.text, .b = args.compare});
    if (!args.lesson.empty()) screen.begin_lesson(args.lesson);
    if (!args.script.empty()) screen.play(args.script);
    screen.hand_on(args.out);
    std::printf(tr("%s: %.1f MB; open it with: glassformer %s\n"), args.out.c_str(),
                static_cast<double>(std::filesystem::file_size(args.out)) / 1e6, args.out.c_str());
    if (args.web.empty()) return 0;
    write_page_with(args.page, args.out, args.web);
    std::printf(tr("%s: %.1f MB; open it in a browser\n"), args.web.c_str(),
                static_cast<double>(std::filesystem::file_size(args.web)) / 1e6);
    return 0;
}

}  // namespace glassformer::app
