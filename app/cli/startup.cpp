#include "app/cli/startup.h"

#include "app/cli/cli.h"

namespace glassformer::app {

Session::Options session_options(const std::string& model, const std::string& a, const std::string& b) {
    Session::Options options;
    options.world = world_file("homonyms");
    options.checkpoint = model.empty() ? assets_folder() / "models" / "homonyms" : std::filesystem::path(model);
    options.sentences = {a.empty() ? first_sentence : a, b.empty() ? second_sentence : b};
    return options;
}

}  // namespace glassformer::app
