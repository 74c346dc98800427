#pragma once

#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "core/io/checkpoint.h"

namespace glassformer {

/// A model and what was viewed in it, in one file that can be shared: lecture.glass. It is a zip of
///
///     mimetype        application/x-glassformer, first and uncompressed, so that other programs can recognise the file
///     glass.json      {"format": "glassformer", "version": 1, "lesson": …, "saved_step": …}
///     model/          a checkpoint (core/io/checkpoint.h) with its log, its keyframes, its tokenizer and, if it
///                     is the user's own, its world
///     scene.json      what was on the screen, as written by the window (app/lessons/scene_format.h); none if the
///                     lesson is to begin as new
///     lesson.lesson   a lesson that belongs to it
///     pictures/       the lesson's PNGs, by their paths relative to it
///     answers.json    what a student did in that lesson (app/homework)
///
/// It contains no paths of the machine that it was made on.
inline constexpr const char* glass_ending = ".glass";

/// Goes with the model. Core does not interpret these texts; each may be empty.
struct LessonBundle {
    std::string scene;
    std::string lesson_name, lesson;  // a lesson file's name without its extension, and its text
    std::string answers;
    /// A lesson's picture.
    struct Picture {
        std::string name;  // is_picture_name()
        std::string png;
    };
    std::vector<Picture> pictures = {};
};

/// True if it can name a lesson's picture: a relative path of a .png file that stays inside the lesson's folder.
bool is_picture_name(std::string_view name);
/// Size limits: of one picture, and of all pictures of a lesson.
inline constexpr std::uint64_t most_picture_bytes = 4'000'000, most_pictures_bytes = 8'000'000;

struct GlassFile {
    Checkpoint model;
    LessonBundle with;
    /// The model's newest step that is also saved elsewhere; none: this file is where the model is saved.
    std::optional<std::int64_t> saved_step = {};
};

/// True if the path is a file (not a folder) with that ending.
bool is_glass_file(const std::filesystem::path& path);

/// If the model and its keyframes exceed this, keyframes are dropped evenly; the first, the newest and `shown_step` are
/// the last to go.
inline constexpr std::uint64_t most_glass_step_bytes = 10'000'000;
/// Writes the file atomically: the old one survives any failure. Throws Error if a file exists that is not a .glass
/// file, if the model or a text is too large for load_glass to read it again, and as write_file_atomically does.
void save_glass(const std::filesystem::path& file, GlassFile glass, std::int64_t shown_step = -1);

/// Reads a file from an untrusted source. Throws Error naming the file and what is wrong: missing, made by a newer
/// program, damaged, too large when unpacked, with unexpected entries; also throws as load_checkpoint does.
GlassFile load_glass(const std::filesystem::path& file);
/// The same without the model, which is not checked.
LessonBundle read_lesson_bundle(const std::filesystem::path& file);
/// Returns GlassFile::saved_step of a file, without reading its model.
std::optional<std::int64_t> saved_step_in(const std::filesystem::path& file);

}  // namespace glassformer
