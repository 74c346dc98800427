#pragma once

#include <filesystem>

#include "app/lessons/lesson_picture.h"

namespace glassformer::app {

/// Reads a lesson; its format is described at the head of assets/lessons/1_two_kinds_of_bat.lesson. Throws Error
/// "name:line: field: what is wrong". A picture that cannot be shown is no error: the lesson has it with its problem.
Lesson parse_lesson(const std::string& source, const std::string& name, const PictureSource& pictures = {});
/// "name:line: picture: file: what is wrong", of each picture that has a problem, a line each.
std::string picture_problems(const Lesson& lesson);

/// A file as it is now; one that is not there has no bytes and no time.
struct FileStamp {
    std::filesystem::path path;
    std::filesystem::file_time_type time{};
    std::uintmax_t bytes = 0;
    bool operator==(const FileStamp&) const = default;
};
FileStamp stamp_of(const std::filesystem::path& path);

/// A lesson's file with the pictures beside it; the lesson's name is the file's, without what follows. `read` gets the
/// files that it is made of, as they were before they were read, whether that succeeds or not.
Lesson load_lesson(const std::filesystem::path& file, std::vector<FileStamp>* read = nullptr);
/// "de" of "1_bat.de.lesson", which is "1_bat.lesson" in German; empty where the name says none.
std::string language_of_lesson(const std::filesystem::path& file);

}  // namespace glassformer::app
