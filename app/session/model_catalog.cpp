#include "app/session/model_catalog.h"

#include <algorithm>
#include <sstream>

#include "core/base/error.h"
#include "core/platform/atomic_file.h"
#include "core/tasks/tasks.h"

namespace glassformer::app {

namespace {

constexpr std::size_t largest_world = 1 << 20;  // bytes to search for a title

/// A file's text; empty if it cannot be read.
std::string text_of(const std::filesystem::path& file) {
    try {
        return read_file(file, largest_world);
    } catch (const Error&) {
        return {};
    }
}

/// What follows "<name> = " in such a text; empty if there is no such line.
std::string field_in(const std::string& text, std::string_view name) {
    const std::string key = "\n" + std::string(name) + " = ", whole = "\n" + text;
    const std::size_t line = whole.find(key);
    if (line == std::string::npos) return {};
    const std::size_t from = line + key.size();
    return whole.substr(from, whole.find_first_of("\r\n", from) - from);
}

/// For models not made from a world, the title and the summary come from about.txt in their folder.
void read_about(ModelCatalog::Model& model) {
    const std::string about = text_of(std::filesystem::path(model.folder) / "about.txt");
    if (model.title.empty()) model.title = field_in(about, "title");
    model.summary = field_in(about, "summary");
}

void read_words(ModelCatalog::Model& model) {
    std::istringstream lines(text_of(std::filesystem::path(model.folder) / "vocab.txt"));
    for (std::string word; std::getline(lines, word);) model.words.push_back(word);
    std::ranges::sort(model.words);
}

/// The title of that world, or its name with a capital; empty if there is no such world.
std::string title_of(const std::string& name, const std::vector<ListedWorld>& worlds,
                     const std::filesystem::path& folder) {
    const auto world = std::ranges::find(worlds, name, &ListedWorld::name);
    if (world == worlds.end()) return {};
    if (world->kind && !world->kind->file.empty())
        if (std::string title = field_in(text_of(folder / world->kind->file), "title"); !title.empty()) return title;
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
    for (const auto& entry : std::filesystem::directory_iterator((assets / "models").make_preferred(), unreadable))
        if (std::filesystem::exists(entry.path() / "config.json", unreadable))
            catalog->models.push_back({entry.path().filename().string(), entry.path().string(), {}, {}, {}});
    for (ModelCatalog::Model& model : catalog->models) {
        model.title = title_of(model.name, catalog->worlds, catalog->worlds_folder);
        read_about(model);
        read_words(model);
    }
    std::ranges::sort(catalog->models, {}, &ModelCatalog::Model::name);
    return catalog;
}

std::string_view summary_of(const ModelCatalog& catalog, const std::string& world) {
    const auto found = std::ranges::find(catalog.worlds, world, &ListedWorld::name);
    if (found != catalog.worlds.end() && found->kind) return found->kind->summary;
    const auto model = std::ranges::find(catalog.models, world, &ModelCatalog::Model::name);
    return model == catalog.models.end() ? std::string_view() : model->summary;
}

std::string_view title_of(const ModelCatalog& catalog, const std::string& world) {
    const auto found = std::ranges::find(catalog.models, world, &ModelCatalog::Model::name);
    return found == catalog.models.end() || found->title.empty() ? std::string_view(world) : found->title;
}

}  // namespace glassformer::app
