#include "app/assets/assets.h"
#include "app/cli/lesson_check.h"
#include "app/language/tr.h"
#include "app/session/startup.h"
#include "core/base/error.h"
#include "core/text/shown_bytes.h"

namespace glassformer::app {

namespace fs = std::filesystem;

fs::path lesson_file(const std::string& name) {
    if (fs::exists(name)) return name;
    const fs::path shipped = assets_folder() / "lessons" / (name + ".lesson");
    if (const fs::path own = fs::path(shipped).replace_extension("." + language() + ".lesson"); fs::exists(own))
        return own;
    if (fs::exists(shipped)) return shipped;
    throw Error("there is no lesson \"{1}\": neither a file nor an included lesson in {2}", name,
                assets_folder() / "lessons");
}

fs::path shipped_lesson_file(const std::string& name) {
    const fs::path folder = assets_folder() / "lessons";
    for (const fs::directory_entry& entry : fs::directory_iterator(folder))
        if (entry.path().filename() == name + ".lesson") return entry.path();
    throw Error("the lesson {1} is not included with the program; give its file with --lesson", in_quotes(name));
}

Session::Options session_for(const Lesson& lesson, bool untrained, const std::string& model) {
    if (!model.empty()) return session_options(model);
    const fs::path shipped = assets_folder() / "models" / lesson.model();
    const bool has_model = !lesson.model().empty() && fs::exists(shipped / "config.json");
    Session::Options options = session_options(has_model ? shipped.string() : std::string());
    if (!untrained) return options;
    if (lesson.model().empty()) throw Error("the lesson names no model: without one there is nothing to train");
    options.checkpoint.clear();
    options.world = lesson.model();
    return options;
}

}  // namespace glassformer::app
