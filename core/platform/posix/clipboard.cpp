#include "core/platform/clipboard.h"

#include <cstdlib>
#include <vector>

#include "core/base/filled.h"
#include "core/base/mark_text.h"
#include "core/platform/program.h"

namespace glassformer::platform {

namespace {

bool is_set(const char* variable) {
    const char* value = std::getenv(variable);
    return value && *value;
}

std::vector<std::string> command_line() {
    if (is_set("WAYLAND_DISPLAY"))
        if (const auto program = find_program("wl-copy"); !program.empty())
            return {program.string(), "--type", "image/png"};
    if (is_set("DISPLAY"))
        if (const auto program = find_program("xclip"); !program.empty())
            return {program.string(), "-selection", "clipboard", "-t", "image/png", "-i"};
    return {};
}

}  // namespace

bool can_copy_pictures() { return !command_line().empty(); }

std::string copy_picture(std::string_view png) {
    const std::vector<std::string> line = command_line();
    if (line.empty()) return N_("neither wl-copy nor xclip is installed");
    std::string stderr_text;
    if (run_program(line, png, stderr_text, std::chrono::seconds(10))) return {};
    return stderr_text.empty() ? filled_with(N_("{1} failed"), line.front())
                               : filled_with(N_("{1}: {2}"), line.front(), stderr_text);
}

}  // namespace glassformer::platform
