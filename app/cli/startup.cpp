#include "app/cli/startup.h"

#include "app/cli/cli.h"

namespace glassformer::app {

namespace {

/// A desktop hands over a file, not its folder.
std::filesystem::path checkpoint_folder(const std::filesystem::path& model) {
    if (model.filename() != "model.safetensors") return model;
    return model.has_parent_path() ? model.parent_path() : std::filesystem::path(".");
}

}  // namespace

Session::Options session_options(const std::string& model, const std::optional<std::string>& a,
                                 const std::optional<std::string>& b) {
    Session::Options options;
    options.assets = assets_folder();
    options.sentences = {a, b};
    options.checkpoint = checkpoint_folder(model);
    if (!model.empty()) return options;
    options.checkpoint = options.assets / "models" / "homonyms";
    options.sentences = {a.value_or(first_sentence), b.value_or(second_sentence)};
    return options;
}

}  // namespace glassformer::app
