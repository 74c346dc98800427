#include "app/session/startup.h"

#include "app/assets/assets.h"

namespace glassformer::app {

Session::Options session_options(const std::string& model, const std::optional<std::string>& a,
                                 const std::optional<std::string>& b) {
    Session::Options options;
    options.assets = assets_folder();
    options.sentences = {a, b};
    options.checkpoint = model_folder(model);
    if (!model.empty()) return options;
    options.checkpoint = options.assets / "models" / "homonyms";
    options.sentences = {a.value_or(first_sentence), b.value_or(second_sentence)};
    return options;
}

}  // namespace glassformer::app
