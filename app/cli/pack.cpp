#include <algorithm>
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

/// The program in one file for browsers, as scripts/web.sh makes it, split where a .glass file can be embedded.
struct WebPage {
    std::string before, after;
};

/// Leaves out the .glass file that the page has, if any. Throws Error if `file` is no such page.
WebPage read_page(const std::filesystem::path& file) {
    const std::string text = read_file(file, largest_page);
    const std::size_t at = text.find(program);
    if (at == std::string::npos || !text.starts_with("<!doctype html>"))
        throw Error("{1} is not Glassformer as a page; scripts/web.sh makes glassformer.html", file);
    // Nothing else is between.
    return {text.substr(0, std::min(text.find(given), at)), text.substr(at)};
}

/// Writes the page with the .glass file embedded; it opens with that. Throws Error as write_file_atomically.
void write_page_with(const WebPage& page, const std::filesystem::path& glass, const std::filesystem::path& out) {
    write_file_atomically(out, page.before + std::string(given) + " type=\"application/octet-stream\" data-name=\"" +
                                   escaped(glass.filename().string()) + "\">" + base64(read_file(glass, largest_page)) +
                                   std::string(end) + page.after);
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
    const WebPage page = args.web.empty() ? WebPage{} : read_page(args.page);  // before anything is written
    Screen screen({.model = args.from, .a = args.text, .b = args.compare});
    if (!args.lesson.empty()) screen.begin_lesson(args.lesson);
    if (!args.script.empty()) screen.play(args.script);
    screen.hand_on(args.out);
    std::printf(tr("%s: %.1f MB; open it with: glassformer %s\n"), args.out.c_str(),
                static_cast<double>(std::filesystem::file_size(args.out)) / 1e6, args.out.c_str());
    if (args.web.empty()) return 0;
    write_page_with(page, args.out, args.web);
    std::printf(tr("%s: %.1f MB; open it in a browser\n"), args.web.c_str(),
                static_cast<double>(std::filesystem::file_size(args.web)) / 1e6);
    return 0;
}

}  // namespace glassformer::app
