#include "app/desktop/settings.h"
#include "app/lessons/lesson_file.h"
#include "app/script/script.h"
#include "tests/fuzz/targets.h"

namespace glassformer::fuzz {

namespace {

void script(std::string_view bytes) { app::parse_script(std::string(bytes), "fuzz.script"); }

void lesson(std::string_view bytes) { app::parse_lesson(std::string(bytes), "fuzz"); }

/// Read, and written over what was read.
void settings(std::string_view bytes) {
    const std::filesystem::path file = file_with(bytes, "settings.json");
    app::save_settings(file, app::load_settings(file));
    std::filesystem::remove(file.string() + ".damaged");
}

constexpr Target all[] = {{"script", script}, {"lesson", lesson}, {"settings", settings}};

}  // namespace

std::span<const Target> app_targets() { return all; }

}  // namespace glassformer::fuzz
