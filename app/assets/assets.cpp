#include "app/assets/assets.h"

#include <algorithm>
#include <cstdlib>
#include <vector>

#include "core/base/error.h"
#include "core/base/join.h"
#include "core/platform/process.h"

namespace glassformer::app {

namespace fs = std::filesystem;

fs::path assets_folder() {
    if (const char* chosen = std::getenv("GLASSFORMER_ASSETS")) {
        if (fs::is_directory(fs::path(chosen) / "worlds")) return chosen;
        throw Error("GLASSFORMER_ASSETS is {1}, which has no folder \"worlds\"", chosen);
    }
    const fs::path program = platform::program_file().parent_path();
    for (const fs::path& candidate : {program / "assets", program / ".." / "assets",
                                      program / ".." / "share" / "glassformer" / "assets", fs::path("assets")})
        if (fs::is_directory(candidate / "worlds")) return fs::weakly_canonical(candidate);
    throw Error("the folder \"assets\" was not found beside {1}; set GLASSFORMER_ASSETS to where it is",
                program / "glassformer");
}

fs::path locale_folder() {
    const fs::path program = platform::program_file().parent_path(), built = program / "locale";
    return fs::is_directory(built) ? built : fs::weakly_canonical(program / ".." / "share" / "locale");
}

std::string model_folder(const std::string& model) {
    // A desktop passes a file, not its folder.
    if (const fs::path file = model; file.filename() == "model.safetensors")
        return file.has_parent_path() ? file.parent_path().string() : ".";
    std::error_code ignored;
    if (model.empty() || fs::path(model).has_parent_path() || fs::is_directory(model, ignored)) return model;
    const fs::path included = assets_folder() / "models";
    if (fs::is_directory(included / model, ignored)) return (included / model).string();
    if (fs::exists(model, ignored)) return model;
    std::vector<std::string> names;
    for (const auto& entry : fs::directory_iterator(included, ignored))
        if (entry.is_directory(ignored)) names.push_back(entry.path().filename().string());
    std::ranges::sort(names);
    throw Error("there is no model \"{1}\" in this folder; the included ones are {2}", model, join(names, ", "));
}

}  // namespace glassformer::app
