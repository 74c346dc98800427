#pragma once

#include <filesystem>
#include <string>
#include <vector>

namespace glassformer {

/// A model in the cache of Hugging Face's programs.
struct CachedModel {
    std::string name;              // "HuggingFaceTB/SmolLM2-135M"
    std::filesystem::path folder;  // the snapshot that its branch "main" names, else the newest one
};

/// The models of a cache (platform::hugging_face_hub()) whose snapshot has a config.json, by name; none where there is
/// no such folder. Only names are read, no model.
std::vector<CachedModel> models_in_hub(const std::filesystem::path& hub);

}  // namespace glassformer
