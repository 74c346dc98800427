#include "app/session/startup.h"

#include "app/assets/assets.h"
#include "app/assets/open_model.h"
#include "core/tasks/world_kind.h"

namespace glassformer::app {

Session::Options session_options(const std::string& model, const std::optional<std::string>& a,
                                 const std::optional<std::string>& b) {
    Session::Options options;
    options.assets = assets_folder();
    options.sentences = {a, b};
    // By path, not by name: the current folder may hold a folder of that name.
    options.checkpoint =
        model.empty() ? (options.assets / "models" / homonyms_world.name).string() : model_folder(model);
    return options;
}

}  // namespace glassformer::app
