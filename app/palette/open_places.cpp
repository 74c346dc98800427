#include "app/palette/open_places.h"

#include <imgui.h>

#include <algorithm>
#include <array>
#include <system_error>

#include "app/language/tr.h"
#include "app/panels/leaving/leaving_question.h"
#include "app/panels/leaving/saving.h"
#include "core/base/trimmed.h"
#include "core/io/gguf_model.h"
#include "core/io/glass_file.h"
#include "core/io/hugging_face.h"
#include "core/io/run_folder.h"
#include "core/io/tensor_layout.h"
#include "core/platform/user_folders.h"

namespace glassformer::app {

namespace fs = std::filesystem;

namespace {

constexpr std::size_t most_folders = 500;

/// Returns true for a model's folder, or its single file. What cannot be read is no model; exists() would claim that it
/// may be one.
bool is_model(const fs::path& folder) {
    std::error_code error;
    return ((is_glass_file(folder) || is_gguf_file(folder)) && fs::is_regular_file(folder, error)) ||
           std::ranges::any_of(std::array{"config.json", "model.safetensors", "pytorch_model.bin"},
                               [&](const char* file) { return fs::is_regular_file(folder / file, error); });
}

/// Returns why a folder cannot be read; empty if it can, or is not a folder.
std::string why_unreadable(const fs::path& folder) {
    std::error_code error;
    if (!fs::is_directory(folder, error)) return {};
    fs::directory_iterator(folder, error);
    return error ? error.message() : std::string();
}

const char* kind_of(const fs::path& folder) {
    return is_run_folder(folder) ? N_("run") : is_model(folder) ? N_("model") : N_("folder");
}

PaletteEntry opening(const fs::path& folder, const std::string& title) {
    return {title, kind_of(folder), folder.string(), "", [folder](const Frame& f) { open_place(f, folder); }};
}

PaletteEntry opening_lesson(const fs::path& file, const std::string& title) {
    return {title, N_("lesson"), "", "",
            [file = file.string()](const Frame& f) { f.state.window.authoring.open = file; }};
}

bool is_place(const fs::path& path) { return is_run_folder(path) || is_model(path); }
bool is_lesson(const fs::path& path) {
    std::error_code error;
    return path.extension() == ".lesson" && fs::is_regular_file(path, error);
}

/// A page that lists the contents of folders.
struct Listing {
    PaletteState::Page page;
    bool (*opens)(const fs::path& path);  // a folder that it does not open is entered
    PaletteEntry (*opening)(const fs::path& path, const std::string& title);
};
constexpr Listing models{PaletteState::Page::open_model, is_place, opening},
    lessons{PaletteState::Page::open_lesson, is_lesson, opening_lesson};

/// Returns an entry that enters a folder: the list starts over there.
PaletteEntry going_into(const Listing& listing, const std::string& title, const char* kind, const fs::path& folder) {
    const std::string path = folder == folder.root_path() ? folder.string() : folder.string() + "/";
    return {title, kind, "", "",
            [page = listing.page, path](const Frame& f) { f.state.window.palette.open_page(page, path); }};
}

/// The models in the Hugging Face cache, looked up when the page opens.
struct HubModels {
    std::vector<CachedModel> models;
    int last_frame = -2;
};

const std::vector<CachedModel>& hub_models(const Frame& frame) {
    HubModels& hub = frame.own<HubModels>();
    const int now = ImGui::GetFrameCount();
    if (now > hub.last_frame + 1) hub.models = models_in_hub(platform::hugging_face_hub());
    hub.last_frame = now;
    return hub.models;
}

std::vector<PaletteEntry> first_entries(const Frame& frame) {
    std::vector<PaletteEntry> entries;
    std::error_code error;
    if (frame.state.window.folder_dialog.there) {
        entries.push_back({tr("Choose a folder in a dialog…"), "", "", "",
                           [](const Frame& f) { f.state.window.folder_dialog.asked = FolderDialog::Ask::open; }});
        entries.push_back({tr("Choose a file in a dialog…"), "", "", "",
                           [](const Frame& f) { f.state.window.folder_dialog.asked = FolderDialog::Ask::open_file; }});
    }
    for (const std::string& folder : frame.state.window.recent.folders)
        if (fs::is_directory(folder, error) || is_model(folder)) entries.push_back(opening(folder, folder));
    for (const CachedModel& model : hub_models(frame))
        entries.push_back({model.name, tr("downloaded from Hugging Face"), model.folder.string(), "",
                           [folder = model.folder](const Frame& f) { open_place(f, folder); }});
    if (frame.snapshot.catalog)
        for (const ModelCatalog::Model& model : frame.snapshot.catalog->models)
            entries.push_back({model.name, tr("included with the program"), model.folder, "",
                               [folder = model.folder](const Frame& f) { open_place(f, folder); }});
    return entries;
}

/// Adds what `parent` contains with a name that starts with the typed text; openable entries come first.
void add_folder(std::vector<PaletteEntry>& entries, const Listing& listing, const fs::path& parent,
                const std::string& begins) {
    std::error_code error;
    std::vector<fs::path> found;
    for (fs::directory_iterator at(parent, error), end; !error && at != end && found.size() < most_folders;
         at.increment(error)) {
        const std::string name = at->path().filename().string();
        std::error_code unreadable;
        if (name.starts_with(begins) && (!name.starts_with('.') || !begins.empty()) &&
            (at->is_directory(unreadable) || listing.opens(at->path())))
            found.push_back(at->path());
    }
    std::ranges::sort(found);
    std::ranges::stable_partition(found, listing.opens);
    for (const fs::path& path : found) {
        const std::string name = path.filename().string();
        entries.push_back(listing.opens(path) ? listing.opening(path, name)
                                              : going_into(listing, name + "/", "folder", path));
    }
}

/// Adds the entries for a typed path: the path itself, its parent, and its contents.
void add_path(std::vector<PaletteEntry>& entries, const Listing& listing, const std::string& typed) {
    const std::string path = save_folder(typed);
    const bool whole = typed.ends_with('/');
    if (listing.opens(path)) entries.push_back(listing.opening(path, filled(tr("Open {1}"), {path})));
    const fs::path parent = whole ? fs::path(path) : fs::path(path).parent_path();
    if (whole && parent.has_parent_path() && parent != parent.parent_path())
        entries.push_back(going_into(listing, "..", tr("parent folder"), parent.parent_path()));
    add_folder(entries, listing, parent, whole ? "" : fs::path(path).filename().string());
}

}  // namespace

void open_place(const Frame& frame, const fs::path& folder) {
    frame.state.window.notice = {};
    if (is_run_folder(folder)) {
        frame.state.window.recent.add(folder.string());
        return open_kept_run(frame, folder.string());
    }
    if (const std::string why = why_unreadable(folder); !why.empty()) {
        frame.state.window.notice = {filled(tr("{1} cannot be read: {2}"), {folder.string(), why})};
        return;
    }
    if (!is_model(folder)) {
        if (const std::string what = what_lies_in(folder); !what.empty()) {
            frame.state.window.notice = {folder.string() + ": " + what};
            return;
        }
        frame.state.window.notice = {filled(tr("{1} contains neither a model (config.json and model.safetensors or "
                                               "pytorch_model.bin, or a .glass file) nor a saved run"),
                                            {folder.string()})};
        return;
    }
    frame.state.window.recent.add(folder.string());
    leave_for(frame, command::OpenModel{folder.string()});
}

std::vector<PaletteEntry> open_place_entries(const Frame& frame, const std::string& typed) {
    if (typed.find('/') != std::string::npos || typed.starts_with('~')) {
        std::vector<PaletteEntry> entries;
        add_path(entries, models, typed);
        return entries;
    }
    if (trimmed(typed).empty()) return first_entries(frame);
    std::vector<PaletteEntry> entries = found_entries(first_entries(frame), typed);
    add_path(entries, models, typed);
    return entries;
}

std::vector<PaletteEntry> open_lesson_entries(const Frame&, const std::string& typed) {
    std::vector<PaletteEntry> entries;
    if (trimmed(typed).empty())
        add_folder(entries, lessons, platform::home_folder(), "");
    else
        add_path(entries, lessons, typed);
    return entries;
}

}  // namespace glassformer::app
