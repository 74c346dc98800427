#pragma once

#include <filesystem>
#include <memory>
#include <string_view>

#include "app/session/snapshot.h"

namespace glassformer::app {

/// The models (assets/models/*/config.json) and worlds of the assets folder, by name; empty without one.
std::shared_ptr<const ModelCatalog> catalog_of(const std::filesystem::path& assets);

/// The title of a world, as its shipped model has it; else its name.
std::string_view title_of(const ModelCatalog& catalog, const std::string& world);
/// What a world, or a model without one, is about, in a line; empty for what is neither.
std::string_view summary_of(const ModelCatalog& catalog, const std::string& world);

}  // namespace glassformer::app
