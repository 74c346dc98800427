#include "app/session/model_catalog.h"

#include <algorithm>

#include "core/base/error.h"
#include "core/platform/atomic_file.h"
#include "core/tasks/tasks.h"

namespace glassformer::app {

namespace {

constexpr std::size_t largest_world = 1 << 20;  // bytes, to look for a title in

/// What follows "title = " in a world's file; empty where there is none.
std::string title_in(const std::filesystem::path& file) {
    constexpr std::string_view key = "title = ";
    try {
        const std::string text = "\n" + read_file(file, largest_world);
        const std::size_t line = text.find("\n" + std::string(key));
        if (line == std::string::npos) return {};
        const std::size_t from = line + 1 + key.size();
        return text.substr(from, text.find_first_of("\r\n", from) - from);
    } catch (const Error&) {
        return {};
    }
}

/// The title of the world of that name, or its name with a capital; empty where there is none.
std::string title_of(const std::string& name, const std::vector<ListedWorld>& worlds,
                     const std::filesystem::path& folder) {
    const auto world = std::ranges::find(worlds, name, &ListedWorld::name);
    if (world == worlds.end()) return {};
    if (world->kind && !world->kind->file.empty())
        if (std::string title = title_in(folder / world->kind->file); !title.empty()) return title;
    std::string title = name;
    if (title[0] >= 'a' && title[0] <= 'z') title[0] = static_cast<char>(title[0] - 'a' + 'A');
    return title;
}

}  // namespace

std::shared_ptr<const ModelCatalog> catalog_of(const std::filesystem::path& assets) {
    auto catalog = std::make_shared<ModelCatalog>();
    if (assets.empty()) return catalog;
    catalog->worlds_folder = assets / "worlds";
    catalog->worlds = worlds_in(catalog->worlds_folder);
    std::error_code unreadable;
    for (const auto& entry : std::filesystem::directory_iterator(assets / "models", unreadable))
        if (std::filesystem::exists(entry.path() / "config.json", unreadable))
            catalog->models.push_back({entry.path().filename().string(), entry.path().string(), {}});
    for (ModelCatalog::Model& model : catalog->models)
        model.title = title_of(model.name, catalog->worlds, catalog->worlds_folder);
    std::ranges::sort(catalog->models, {}, &ModelCatalog::Model::name);
    return catalog;
}

std::string_view summary_of(const ModelCatalog& catalog, const std::string& world) {
    const auto found = std::ranges::find(catalog.worlds, world, &ListedWorld::name);
    return found == catalog.worlds.end() || !found->kind ? std::string_view() : found->kind->summary;
}

std::string_view title_of(const ModelCatalog& catalog, const std::string& world) {
    const auto found = std::ranges::find(catalog.models, world, &ModelCatalog::Model::name);
    return found == catalog.models.end() || found->title.empty() ? std::string_view(world) : found->title;
}

}  // namespace glassformer::app
