#include "app/cli/csv_row.h"

#include <algorithm>
#include <array>
#include <string_view>

#include "core/base/join.h"
#include "core/text/shown_bytes.h"

namespace glassformer::app {

namespace {

std::string csv_cell(std::string text) {
    text = shown_bytes(text);
    constexpr std::array<std::string_view, 8> begins{"=", "+", "-", "@", "＝", "＋", "－", "＠"};
    if (std::ranges::any_of(begins, [&](std::string_view begin) { return text.starts_with(begin); }))
        text.insert(0, "'");
    if (text.find_first_of(",\"") == std::string::npos) return text;
    for (std::size_t at = 0; (at = text.find('"', at)) != std::string::npos; at += 2) text.insert(at, "\"");
    return '"' + text + '"';
}

}  // namespace

std::string csv_row(const std::vector<std::string>& cells) { return join(cells, ",", csv_cell) + "\n"; }

}  // namespace glassformer::app
