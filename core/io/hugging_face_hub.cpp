#include "core/io/hugging_face_hub.h"

#include <algorithm>

#include "core/base/error.h"
#include "core/platform/atomic_file.h"

namespace glassformer {

namespace fs = std::filesystem;

namespace {

constexpr std::string_view prefix = "models--", between = "--";
constexpr std::size_t most_models = 200, most_snapshots = 100, most_name_bytes = 200;

/// "models--HuggingFaceTB--SmolLM2-135M" → "HuggingFaceTB/SmolLM2-135M".
std::string name_of_folder(std::string name) {
    name = name.substr(prefix.size());
    if (const std::size_t cut = name.find(between); cut != std::string::npos) name.replace(cut, between.size(), "/");
    return name;
}

bool has_config(const fs::path& snapshot) {
    std::error_code unreadable;
    return fs::exists(snapshot / "config.json", unreadable);
}

/// The snapshot that refs/main names; empty where it names none.
fs::path main_snapshot(const fs::path& model) {
    try {
        std::string commit = read_file(model / "refs" / "main", most_name_bytes);
        while (!commit.empty() && (commit.back() == '\n' || commit.back() == '\r')) commit.pop_back();
        const fs::path name = commit;
        if (commit.empty() || name.filename() != name || name == "..") return {};
        return has_config(model / "snapshots" / name) ? model / "snapshots" / name : fs::path();
    } catch (const Error&) {
        return {};
    }
}

fs::path newest_snapshot(const fs::path& model) {
    fs::path newest;
    fs::file_time_type when = fs::file_time_type::min();
    std::error_code error;
    std::size_t seen = 0;
    for (fs::directory_iterator at(model / "snapshots", error), end; !error && at != end && ++seen <= most_snapshots;
         at.increment(error)) {
        std::error_code unreadable;
        const fs::file_time_type time = fs::last_write_time(at->path(), unreadable);
        if (unreadable || !has_config(at->path()) || (!newest.empty() && time <= when)) continue;
        newest = at->path(), when = time;
    }
    return newest;
}

}  // namespace

std::vector<CachedModel> models_in_hub(const fs::path& hub) {
    std::vector<CachedModel> models;
    if (hub.empty()) return models;
    std::error_code error;
    for (fs::directory_iterator at(hub, error), end; !error && at != end && models.size() < most_models;
         at.increment(error)) {
        const std::string name = at->path().filename().string();
        if (!name.starts_with(prefix)) continue;
        fs::path snapshot = main_snapshot(at->path());
        if (snapshot.empty()) snapshot = newest_snapshot(at->path());
        if (!snapshot.empty()) models.push_back({name_of_folder(name), snapshot});
    }
    std::ranges::sort(models, {}, &CachedModel::name);
    return models;
}

}  // namespace glassformer
