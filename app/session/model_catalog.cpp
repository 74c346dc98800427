#include "app/session/model_catalog.h"

#include <algorithm>

#include "core/tasks/tasks.h"

namespace glassformer::app {

std::shared_ptr<const ModelCatalog> catalog_of(const std::filesystem::path& assets) {
    auto catalog = std::make_shared<ModelCatalog>();
    if (assets.empty()) return catalog;
    std::error_code unreadable;
    for (const auto& entry : std::filesystem::directory_iterator(assets / "models", unreadable))
        if (std::filesystem::exists(entry.path() / "config.json", unreadable))
            catalog->models.push_back({entry.path().filename().string(), entry.path().string()});
    std::ranges::sort(catalog->models, {}, &ModelCatalog::Model::name);
    catalog->worlds = worlds_in(assets / "worlds");
    return catalog;
}

}  // namespace glassformer::app
