#include "app/palette/open_places.h"

#include <imgui.h>

#include <algorithm>
#include <array>
#include <system_error>

#include "app/common/notice.h"
#include "app/common/palette_state.h"
#include "app/common/recent_places.h"
#include "app/language/tr.h"
#include "app/panels/leaving/leaving_question.h"
#include "app/panels/leaving/saving.h"
#include "core/io/glass_file.h"
#include "core/io/hugging_face_hub.h"
#include "core/io/run_folder.h"
#include "core/platform/user_folders.h"

namespace glassformer::app {

namespace fs = std::filesystem;

namespace {

constexpr std::size_t most_folders = 500;

/// A model's folder, or its one file.
bool is_model(const fs::path& folder) {
    std::error_code error;
    return (is_glass_file(folder) && fs::exists(folder, error)) ||
           std::ranges::any_of(std::array{"config.json", "model.safetensors", "pytorch_model.bin"},
                               [&](const char* file) { return fs::exists(folder / file, error); });
}

const char* kind_of(const fs::path& folder) {
    return is_run_folder(folder) ? "run" : is_model(folder) ? "model" : "folder";
}

PaletteEntry opening(const fs::path& folder, const std::string& title) {
    return {title, kind_of(folder), folder.string(), "", [folder](const Frame& f) { open_place(f, folder); }};
}

/// Goes into a folder: the list begins anew there.
PaletteEntry going_into(const fs::path& folder) {
    return {folder.filename().string() + "/", "folder", "", "", [folder](const Frame& f) {
                f.own<PaletteState>() = {true, true, PaletteState::Page::open_model, folder.string() + "/", 0, 0};
            }};
}

/// What lies in the cache of Hugging Face's programs, looked up when the page is opened.
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
    if (frame.own<FolderDialog>().there) {
        entries.push_back({tr("Choose a folder in a dialog…"), "", "", "",
                           [](const Frame& f) { f.own<FolderDialog>().asked = FolderDialog::Ask::open; }});
        entries.push_back({tr("Choose a file in a dialog…"), "", "", "",
                           [](const Frame& f) { f.own<FolderDialog>().asked = FolderDialog::Ask::open_file; }});
    }
    for (const std::string& folder : frame.own<RecentPlaces>().folders)
        if (fs::is_directory(folder, error) || is_model(folder)) entries.push_back(opening(folder, folder));
    for (const CachedModel& model : hub_models(frame))
        entries.push_back({model.name, tr("fetched from Hugging Face"), model.folder.string(), "",
                           [folder = model.folder](const Frame& f) { open_place(f, folder); }});
    if (frame.snapshot.catalog)
        for (const ModelCatalog::Model& model : frame.snapshot.catalog->models)
            entries.push_back({model.name, tr("comes with the program"), model.folder, "",
                               [folder = model.folder](const Frame& f) { open_place(f, folder); }});
    return entries;
}

/// The folders of `parent` whose names begin with what is typed, models and runs first.
void add_folders(std::vector<PaletteEntry>& entries, const fs::path& parent, const std::string& begins) {
    std::error_code error;
    std::vector<fs::path> folders;
    for (fs::directory_iterator at(parent, error), end; !error && at != end && folders.size() < most_folders;
         at.increment(error)) {
        const std::string name = at->path().filename().string();
        std::error_code unreadable;
        if ((at->is_directory(unreadable) || is_glass_file(at->path())) && name.starts_with(begins) &&
            (!name.starts_with('.') || !begins.empty()))
            folders.push_back(at->path());
    }
    std::ranges::sort(folders);
    std::ranges::stable_partition(folders, [](const fs::path& f) { return is_run_folder(f) || is_model(f); });
    for (const fs::path& folder : folders)
        entries.push_back(is_run_folder(folder) || is_model(folder) ? opening(folder, folder.filename().string())
                                                                    : going_into(folder));
}

}  // namespace

void open_place(const Frame& frame, const fs::path& folder) {
    frame.own<Notice>() = {};
    if (is_run_folder(folder)) {
        frame.own<RecentPlaces>().add(folder.string());
        return open_kept_run(frame, folder.string());
    }
    if (!is_model(folder)) {
        frame.own<Notice>() = {filled(tr("{1} holds neither a model (config.json and model.safetensors or "
                                         "pytorch_model.bin, or a .glass file) nor a run that was kept"),
                                      {folder.string()})};
        return;
    }
    frame.own<RecentPlaces>().add(folder.string());
    leave_for(frame, command::OpenModel{folder.string()});
}

std::vector<PaletteEntry> open_place_entries(const Frame& frame, const std::string& typed) {
    const std::string path = save_folder(typed);
    if (path.empty()) return first_entries(frame);
    const bool whole = typed.ends_with('/');
    std::vector<PaletteEntry> entries;
    std::error_code error;
    if (is_run_folder(path) || is_model(path)) entries.push_back(opening(path, filled(tr("Open {1}"), {path})));
    const fs::path parent = whole ? fs::path(path) : fs::path(path).parent_path();
    if (whole && parent.has_parent_path() && parent != parent.parent_path())
        entries.push_back({"..", tr("folder above"), "", "", [above = parent.parent_path()](const Frame& f) {
                               const std::string text = above == above.root_path() ? "/" : above.string() + "/";
                               f.own<PaletteState>() = {true, true, PaletteState::Page::open_model, text, 0, 0};
                           }});
    add_folders(entries, parent, whole ? "" : fs::path(path).filename().string());
    return entries;
}

}  // namespace glassformer::app
