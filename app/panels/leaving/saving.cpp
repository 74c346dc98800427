#include "app/panels/leaving/saving.h"

#include <algorithm>
#include <cctype>
#include <filesystem>
#include <regex>
#include <vector>

#include "app/language/tr.h"
#include "app/panels/leaving/leaving_question.h"
#include "core/base/trimmed.h"
#include "core/platform/process.h"
#include "core/platform/user_folders.h"

namespace glassformer::app {

namespace fs = std::filesystem;

namespace {

/// Strips surrounding blanks, and the quotes that file managers copy with a path.
std::string_view typed_path(std::string_view text) {
    text = trimmed(text);
    if (text.size() >= 2 && (text.front() == '"' || text.front() == '\'') && text.front() == text.back())
        text = text.substr(1, text.size() - 2);
    return text;
}

fs::path home() {
    const fs::path folder = platform::home_folder();
    return folder.empty() ? "/" : folder;
}

/// True if Windows keeps this name for a device, whatever follows after a dot: "nul", "com1.txt".
bool names_device(const std::string& file) {
    static const std::regex device("con|prn|aux|nul|(com|lpt)([0-9]|¹|²|³)", std::regex::icase);
    return std::regex_match(file.substr(0, file.find('.')), device);
}

/// The folder of one run when several are kept at once.
std::string folder_of_run(const std::string& folder, const RunInfo& run) {
    return folder + "-" + std::to_string(run.id + 1);
}

}  // namespace

std::string as_file_name(std::string_view name) {
    std::string file;
    for (const char c : name) {
        const auto byte = static_cast<unsigned char>(c);  // char is unsigned on ARM
        const bool plain = std::isalnum(byte) != 0 || c == '.' || c == '_' || byte >= 0x80;
        if (plain)
            file += c;
        else if (!file.empty() && file.back() != '-')
            file += '-';
    }
    while (file.ends_with('-') || file.ends_with('.')) file.pop_back();  // Windows drops a dot at the end
    if (names_device(file)) file.insert(std::min(file.find('.'), file.size()), "_");
    return file.empty() ? tr("run") : file;
}

void begin_saving(const Frame& frame, const std::string& path, const std::string& done, bool of_run) {
    frame.state.window.notice = {};
    frame.state.own<Saving>() = {path, done, frame.snapshot.error_number, of_run};
}

std::string file_named(std::string_view typed, const char* ending) {
    std::string file = save_folder(typed);
    std::string has = fs::path(file).extension().string();  // perhaps in capitals, as Windows writes it
    std::ranges::transform(has, has.begin(), [](unsigned char c) { return static_cast<char>(std::tolower(c)); });
    if (!file.empty() && has != ending) file += ending;
    return file;
}

std::string suggested_name(const ModelInfo& model) {
    if (!model.world.empty()) return model.world;
    std::filesystem::path folder = model.folder;
    if (!folder.has_filename()) folder = folder.parent_path();  // "models/bert/"
    const std::string name = folder.filename().string();
    return name.empty() ? "model" : name;
}

std::string suggested_name_with_step(const Snapshot& snapshot) {
    const auto step = snapshot.model->known_step(snapshot.live_step);
    return suggested_name(*snapshot.model) + (step ? "-step-" + std::to_string(*step) : "");
}

std::string save_folder(std::string_view typed) {
    const fs::path path = typed_path(typed);
    if (path.empty()) return "";
    fs::path folder;
    if (*path.begin() == "~") {
        folder = home() / path.lexically_relative("~");
    } else {
        std::error_code error;
        fs::path start = fs::current_path(error);
        // Started from a menu, or with a double click in the program's own folder, which an update replaces.
        if (error || start == start.root_path() || start == platform::program_file().parent_path()) start = home();
        folder = start / path;
    }
    folder = folder.lexically_normal();
    const bool ends_with_slash = !folder.has_filename() && folder.has_relative_path();
    return (ends_with_slash ? folder.parent_path() : folder).string();
}

void save_model(const Frame& frame, const std::string& folder) {
    begin_saving(frame, folder, "");
    frame.send(command::Save{folder});
}

void ask_where_to_keep(const Frame& frame) {
    const RunInfo* run = frame.snapshot.current_run();
    frame.state.window.palette.open_page(PaletteState::Page::keep, as_file_name(run ? run->name : tr("run")));
}

void keep_runs(const Frame& frame, const std::string& folder) {
    const std::vector<const RunInfo*> unsaved = unsaved_runs(frame.snapshot, frame.state.own<Leaving>().close);
    if (!frame.state.own<Leaving>().saving || unsaved.size() < 2) {
        begin_saving(frame, folder, filled(tr("The run is saved in {1}. Training continues there."), {folder}), true);
        const bool leaves = frame.state.own<Leaving>().saving && !unsaved.empty();
        return frame.send(command::KeepRun{folder, leaves ? unsaved.front()->id : -1});
    }
    begin_saving(frame, folder,
                 filled(tr("{1} runs are saved side by side. The first folder is {2}."),
                        {std::to_string(unsaved.size()), folder_of_run(folder, *unsaved.front())}));
    for (const RunInfo* run : unsaved) frame.send(command::KeepRun{folder_of_run(folder, *run), run->id});
}

void ask_where_to_film(const Frame& frame) {
    const RunInfo* run = frame.snapshot.current_run();
    frame.state.window.palette = {
        true, true, PaletteState::Page::film, as_file_name(run ? run->name : tr("run")) + "-film", 0, 0};
}

void open_kept_run(const Frame& frame, const std::string& folder) {
    begin_saving(frame, folder, filled(tr("The run in {1} is open. Training continues there."), {folder}), true);
    frame.send(command::OpenRun{folder});
}

void save_metrics(const Frame& frame, const std::string& file) {
    begin_saving(frame, file, filled(tr("The curves are saved as a table in {1}"), {file}));
    frame.send(command::SaveMetrics{file});
}

void report_saving(ViewState& state, const Snapshot& snapshot) {
    if (state.own<Saving>().folder.empty()) return;
    const bool worked = snapshot.error_number == state.own<Saving>().errors_before;
    // A training has gone on since then.
    const RunInfo* const run = snapshot.current_run();
    const auto step = snapshot.model->known_step(run ? run->saved_step : snapshot.live_step);
    const std::string& folder = state.own<Saving>().folder;
    const std::string model = step
                                  ? filled(tr("The model of step {1} is saved in {2}"), {std::to_string(*step), folder})
                                  : filled(tr("The model is saved in {1}"), {folder});
    if (worked)
        state.window.notice = {state.own<Saving>().done.empty() ? model : state.own<Saving>().done, true,
                               state.own<Saving>().of_run ? state.own<Saving>().folder : ""};
    if (worked && state.own<Leaving>().saving) state.own<Leaving>().ready = true;
    state.own<Saving>() = {};
}

}  // namespace glassformer::app
