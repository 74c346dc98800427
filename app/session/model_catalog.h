#pragma once

#include <filesystem>
#include <memory>
#include <string_view>

#include "app/session/snapshot.h"

namespace glassformer::app {

/// Returns the models (assets/models/*/config.json) and worlds of the assets folder, sorted by name; empty without a
/// folder.
std::shared_ptr<const ModelCatalog> catalog_of(const std::filesystem::path& assets);

/// Returns a world's title, as its shipped model has it, otherwise its name.
std::string_view title_of(const ModelCatalog& catalog, const std::string& world);
/// Returns a one-line summary of a world, or of a model without one; empty if it is neither.
std::string_view summary_of(const ModelCatalog& catalog, const std::string& world);

}  // namespace glassformer::app
