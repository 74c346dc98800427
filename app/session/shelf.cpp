#include "app/session/shelf.h"

#include <algorithm>

#include "core/tasks/tasks.h"

namespace glassformer::app {

std::shared_ptr<const Shelf> shelf_of(const std::filesystem::path& assets) {
    auto shelf = std::make_shared<Shelf>();
    if (assets.empty()) return shelf;
    std::error_code unreadable;
    for (const auto& entry : std::filesystem::directory_iterator(assets / "models", unreadable))
        if (std::filesystem::exists(entry.path() / "config.json", unreadable))
            shelf->models.push_back({entry.path().filename().string(), entry.path().string()});
    std::ranges::sort(shelf->models, {}, &Shelf::Model::name);
    shelf->worlds = world_names(assets / "worlds");
    return shelf;
}

}  // namespace glassformer::app
