#include "app/palette/saving.h"

#include <cstdlib>
#include <filesystem>

namespace glassformer::app {

namespace fs = std::filesystem;

namespace {

std::string_view trimmed(std::string_view text) {
    while (!text.empty() && text.front() == ' ') text.remove_prefix(1);
    while (!text.empty() && (text.back() == ' ' || text.back() == '/')) text.remove_suffix(1);
    return text;
}

fs::path home() {
    const char* folder = std::getenv("HOME");
    return folder && *folder ? folder : "/";
}

}  // namespace

std::string save_folder(std::string_view typed) {
    typed = trimmed(typed);
    if (typed.empty()) return "";
    if (typed == "~") return home().string();
    if (typed.starts_with("~/")) return (home() / typed.substr(2)).lexically_normal().string();
    std::error_code error;
    fs::path start = fs::current_path(error);
    if (error || start == "/") start = home();  // started from a menu
    return (start / typed).lexically_normal().string();
}

void save_model(const Frame& frame, const std::string& folder) {
    frame.state.notice = {};
    frame.state.saving = {folder, frame.snapshot.error_number};
    frame.send(command::Save{folder});
}

void report_saving(ViewState& state, const Snapshot& snapshot) {
    if (state.saving.folder.empty()) return;
    if (snapshot.error_number == state.saving.errors_before)
        state.notice = {
            "The model of step " + std::to_string(snapshot.live_step) + " is saved in " + state.saving.folder, true};
    state.saving = {};
}

}  // namespace glassformer::app
