#include "app/desktop/settings.h"
#include "app/lessons/homework.h"
#include "app/lessons/lesson_file.h"
#include "app/lessons/scene_format.h"
#include "app/script/script.h"
#include "app/ui/png_picture.h"
#include "core/io/json_fields.h"
#include "tests/fuzz/targets.h"

namespace glassformer::fuzz {

namespace {

void script(std::string_view bytes) { app::parse_script(std::string(bytes), "fuzz.script"); }

void lesson(std::string_view bytes) { app::parse_lesson(std::string(bytes), "fuzz"); }

/// A picture in a lesson.
void picture(std::string_view bytes) { app::read_png(bytes); }

/// The scene stored in a .glass file.
void scene(std::string_view bytes) {
    const nlohmann::json object = parse_object(std::string(bytes), "scene.json");
    app::scene_to_json(app::scene_from_json(object, {}, "scene.json"), {});
}

/// The answers that a student hands in.
void answers(std::string_view bytes) {
    app::answers_to_json(app::answers_from_json(std::string(bytes), "answers.json"));
}

/// Reads the settings and saves them over the file.
void settings(std::string_view bytes) {
    const std::filesystem::path file = file_with(bytes, "settings.json");
    app::save_settings(file, app::load_settings(file));
    std::filesystem::remove(file.string() + ".damaged");
}

constexpr Target all[] = {{"script", script}, {"lesson", lesson},   {"picture", picture},
                          {"scene", scene},   {"answers", answers}, {"settings", settings}};

}  // namespace

std::span<const Target> app_targets() { return all; }

}  // namespace glassformer::fuzz
