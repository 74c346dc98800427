#pragma once

#include <filesystem>
#include <memory>
#include <string>
#include <vector>

#include "app/lessons/lesson.h"

namespace glassformer::app {

/// The lessons of a folder, in the order of their files' names. A file that changes is read again; one that cannot be
/// read keeps what it said before, and its error is told once.
class LessonFolder {
public:
    /// Nothing when the folder's path is empty or there is no such folder.
    explicit LessonFolder(std::filesystem::path folder);

    /// Looks at the files once a second (`now` in seconds, of any clock); true when something was read.
    bool poll(double now);
    /// Looks at once.
    bool refresh();

    const std::vector<std::shared_ptr<const Lesson>>& lessons() const { return lessons_; }
    /// The lesson of this file name (without ending), or of this title; −1 when there is none.
    int find(std::string_view name) const;

    /// What could not be read in the last look that found a change: "file:line: field: why"; empty when all is well.
    const std::string& error() const { return error_; }

private:
    struct File {
        std::filesystem::path path;
        std::filesystem::file_time_type time;
        std::uintmax_t size = 0;
        std::shared_ptr<const Lesson> lesson;
        bool operator==(const File& o) const { return path == o.path && time == o.time && size == o.size; }
    };
    std::vector<File> look() const;

    std::filesystem::path folder_;
    std::vector<File> files_;
    std::vector<std::shared_ptr<const Lesson>> lessons_;
    std::string error_;
    double looked_ = -1e9;
};

}  // namespace glassformer::app
