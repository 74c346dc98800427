#pragma once

#include <cstdint>
#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

#include "core/io/checkpoint.h"

namespace glassformer {

/// A model and what was looked at in it, in one file that can be handed on: lecture.glass. It is a zip of
///
///     mimetype        application/x-glassformer, first and not compressed, so that other programs know the file by it
///     glass.json      {"format": "glassformer", "version": 1, "lesson": …}
///     model/          a checkpoint (core/io/checkpoint.h) with its log, the steps that can be travelled to, the
///                     tokenizer, and the world where it is of one's own
///     scene.json      what was on the screen, as the window says it (app/desktop/scene_json.h)
///     lesson.lesson   a lesson that goes with it
///     pictures/       the PNGs that the lesson shows, by their paths beside it
///     answers.json    what a student did in that lesson (app/homework)
///
/// It names no folder of the machine that it was made on.
inline constexpr const char* glass_ending = ".glass";

/// What comes with the model. Texts that core does not read; each may be empty.
struct LessonBundle {
    std::string scene;
    std::string lesson_name, lesson;  // of a file, without its ending, and its text
    std::string answers;
    /// A lesson's picture.
    struct Picture {
        std::string name;  // is_picture_name()
        std::string png;
    };
    std::vector<Picture> pictures = {};
};

/// Whether it can name a picture of a lesson: the path of a .png file from the lesson's folder on, and not out of it.
bool is_picture_name(std::string_view name);
/// Of one picture, and of all that go with a lesson.
inline constexpr std::uint64_t most_picture_bytes = 4'000'000, most_pictures_bytes = 8'000'000;

struct GlassFile {
    Checkpoint model;
    LessonBundle with;
};

/// Whether the path is a file (and no folder) with that ending.
bool is_glass_file(const std::filesystem::path& path);

/// Kept steps are left out, evenly, where the model and they together have more bytes than this; the first, the newest
/// and `shown_step` go last.
inline constexpr std::uint64_t most_glass_step_bytes = 10'000'000;
/// Writes the file whole: the old one survives any failure. Throws Error when there is a file already that is not such
/// a one, when the model is too large to be handed on like this, and as write_file_atomically does.
void save_glass(const std::filesystem::path& file, GlassFile glass, std::int64_t shown_step = -1);

/// Reads what anybody may have made. Throws Error naming the file and what is wrong with it: no such file, made by a
/// newer program, damaged, too large when unpacked, with entries that such a file does not have, and as
/// load_checkpoint does.
GlassFile load_glass(const std::filesystem::path& file);
/// The same without the model, which is not looked at.
LessonBundle read_lesson_bundle(const std::filesystem::path& file);

}  // namespace glassformer
