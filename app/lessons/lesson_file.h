#pragma once

#include <filesystem>

#include "app/lessons/lesson_picture.h"

namespace glassformer::app {

/// Parses a lesson; the format is described at the top of assets/lessons/1_two_kinds_of_bat.lesson. Throws Error
/// "name:line: field: what is wrong". A picture that cannot be shown is not an error: the lesson keeps it with its
/// `problem`.
Lesson parse_lesson(const std::string& source, const std::string& name, const PictureSource& pictures = {});
/// Returns "name:line: picture: file: what is wrong" for each picture with a problem, one per line.
std::string picture_problems(const Lesson& lesson);

/// The current state of a file; a missing file has no bytes and no time.
struct FileStamp {
    std::filesystem::path path;
    std::filesystem::file_time_type time{};
    std::uintmax_t bytes = 0;
    bool operator==(const FileStamp&) const = default;
};
FileStamp stamp_of(const std::filesystem::path& path);

/// Loads a lesson's file with the pictures beside it; the lesson is named after the file, without extension. `read`
/// receives the state of all its files from before they were read, whether loading succeeds or not.
Lesson load_lesson(const std::filesystem::path& file, std::vector<FileStamp>* read = nullptr);
/// Returns "de" for "1_bat.de.lesson", the German version of "1_bat.lesson"; empty if the name has no language.
std::string language_of_lesson(const std::filesystem::path& file);

}  // namespace glassformer::app
