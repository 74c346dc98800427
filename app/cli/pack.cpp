#include <array>
#include <cstdio>
#include <filesystem>
#include <string>

#include "app/assets/assets.h"
#include "app/cli/cli.h"
#include "app/cli/screen.h"
#include "app/export/markup.h"
#include "app/language/tr.h"
#include "core/base/error.h"
#include "core/io/glass_file.h"
#include "core/io/output_file.h"
#include "core/platform/atomic_file.h"

namespace glassformer::app {

namespace {

constexpr std::size_t largest_page = std::size_t{256} << 20;

// See cmake/web/page.html.
constexpr std::string_view program = "<script id=\"program\"", given = "<script id=\"given\"", end = "</script>\n";

/// Writes `page`, the program in one file for browsers (made by scripts/web.sh), with the .glass file embedded; it
/// opens with that. Replaces one that `page` had. Throws Error if `page` is no such file, and as write_file_atomically.
void write_page_with(const std::filesystem::path& page, const std::filesystem::path& glass,
                     const std::filesystem::path& out) {
    std::string text = read_file(page, largest_page);
    std::size_t at = text.find(program);
    if (at == std::string::npos || !text.starts_with("<!doctype html>"))
        throw Error("{1} is not Glassformer as a page; scripts/web.sh makes glassformer.html", page);
    if (const std::size_t before = text.find(given); before < at) {
        text.erase(before, at - before);  // nothing else is between
        at = before;
    }
    text.insert(at, std::string(given) + " type=\"application/octet-stream\" data-name=\"" +
                        escaped(glass.filename().string()) + "\">" + base64(read_file(glass, largest_page)) +
                        std::string(end));
    write_file_atomically(out, text);
}

}  // namespace

int run_pack(const PackArgs& args) {
    if (std::filesystem::path(args.out).extension() != glass_ending)
        throw Error("the name of a file for students ends in {1}, unlike {2}", glass_ending, args.out);
    require_output(args.out, FileKind::glass, std::array{model_folder(args.from), args.lesson, args.script});
    if (!args.web.empty()) {
        require_output(args.web, FileKind::html, std::array{args.page, args.out, args.lesson, args.script});
        if (std::filesystem::weakly_canonical(args.web) == std::filesystem::weakly_canonical(args.out))
            throw Error("--web {1} is the file for students itself; give the page another name", args.web);
    }
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
