#include "app/cli/startup.h"

#include "app/cli/cli.h"

namespace glassformer::app {

Session::Options session_options(const std::string& model, const std::optional<std::string>& a,
                                 const std::optional<std::string>& b) {
    Session::Options options;
    options.world = world_file("homonyms");
    options.checkpoint = model.empty() ? assets_folder() / "models" / "homonyms" : std::filesystem::path(model);
    options.sentences = {a.value_or(first_sentence), b.value_or(second_sentence)};
    return options;
}

}  // namespace glassformer::app
