#pragma once

#include <filesystem>
#include <memory>

#include "core/train/world_source.h"

namespace glassformer {

/// world.json, beside config.json or run.json: the world of one's own that a model was trained on. A world that comes
/// with the program has none: it is found by its name.
inline constexpr const char* world_file_name = "world.json";

/// Writes it into a folder that exists. Throws Error as write_file_atomically does.
void write_world(const std::filesystem::path& folder, const WorldSource& source);
/// Null where the folder has none. Throws Error naming the file, the field and what is wrong with it.
std::shared_ptr<const WorldSource> read_world(const std::filesystem::path& folder);

}  // namespace glassformer
