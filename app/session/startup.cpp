#include "app/session/startup.h"

#include "app/assets/assets.h"
#include "app/language/sentences.h"
#include "app/language/tr.h"
#include "core/base/error.h"
#include "core/io/glass_file.h"
#include "core/tasks/world_kind.h"

namespace glassformer::app {

namespace {

namespace fs = std::filesystem;

/// Renames the file to "session-2.glass", or the next number: it opens like any other file. Returns where it is now.
std::string put_aside(const fs::path& file) {
    fs::path name = file;
    std::error_code error;
    for (int n = 2; fs::exists(fs::symlink_status(name, error)); ++n)
        name = file.parent_path() / (file.stem().string() + "-" + std::to_string(n) + file.extension().string());
    fs::rename(file, name, error);
    return (error ? file : name).string();
}

}  // namespace

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

std::unique_ptr<Session> session_left_in(const fs::path& file, Session::Options options, std::string& trouble) {
    options.checkpoint = file;
    try {
        return std::make_unique<Session>(std::move(options));
    } catch (const Error& e) {
        trouble = filled(tr("Where you left off cannot be opened, and is now in {1}: {2}"), {put_aside(file), tr(e)});
        return nullptr;
    }
}

std::string left_training_aside(const fs::path& file) {
    try {
        if (!saved_step_in(file)) return {};
    } catch (const Error&) {  // perhaps a newer version's
    }
    return filled(tr("Where you left off was not opened this time. Its training is saved only in {1}."),
                  {put_aside(file)});
}

}  // namespace glassformer::app
