#pragma once

#include <filesystem>
#include <memory>

#include "app/session/snapshot.h"

namespace glassformer::app {

/// The models (assets/models/*/config.json) and worlds of the assets folder, by name; empty without one.
std::shared_ptr<const ModelCatalog> catalog_of(const std::filesystem::path& assets);

}  // namespace glassformer::app
