#include "app/cli/web_page.h"

#include <string>

#include "app/export/markup.h"
#include "core/base/error.h"
#include "core/base/mark_text.h"
#include "core/platform/atomic_file.h"

namespace glassformer::app {

namespace {

constexpr std::size_t largest_page = std::size_t{256} << 20;

// See cmake/web/page.html.
constexpr std::string_view program = "<script id=\"program\"", given = "<script id=\"given\"", end = "</script>\n";

}  // namespace

void write_page_with(const std::filesystem::path& page, const std::filesystem::path& glass,
                     const std::filesystem::path& out) {
    std::string text = read_file(page, largest_page);
    std::size_t at = text.find(program);
    if (at == std::string::npos || !text.starts_with("<!doctype html>"))
        throw Error("{1} is not Glassformer as a page; scripts/web.sh makes glassformer.html", page);
    if (const std::size_t before = text.find(given); before < at) {
        text.erase(before, at - before);  // it is all that is between
        at = before;
    }
    text.insert(at, std::string(given) + " type=\"application/octet-stream\" data-name=\"" +
                        escaped(glass.filename().string()) + "\">" + base64(read_file(glass, largest_page)) +
                        std::string(end));
    write_file_atomically(out, text);
}

}  // namespace glassformer::app
