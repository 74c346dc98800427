#pragma once

#include <filesystem>
#include <memory>
#include <string>
#include <vector>

#include "app/language/tr.h"
#include "app/lessons/lesson_file.h"

namespace glassformer::app {

/// The lessons of a folder, in the order of their files' names, and behind them those of other places: a person's own
/// folder, single files, and what came with a model. A file that changes is read again, and so is one with a
/// picture that does; one that cannot be read keeps what it said before, and its error is reported once.
class LessonFolder {
public:
    /// Nothing when the folder's path is empty or there is no such folder.
    explicit LessonFolder(const std::filesystem::path& folder);
    /// Looks there as well from now on: another folder, or one file.
    void look_also(const std::filesystem::path& place);
    /// A lesson that is in no file here. Where there is one of the same text already it is that one; of another text
    /// with the same name, this one gets a name of its own. Returns the name.
    std::string take(Lesson lesson, std::string source);

    /// Looks at the files once a second (`now` in seconds, of any clock); true when something was read.
    bool poll(double now);
    /// Looks at once.
    bool refresh();

    const std::vector<std::shared_ptr<const Lesson>>& lessons() const { return lessons_; }
    /// The lesson of this file name (without ending), or of this title; −1 when there is none.
    int find(std::string_view name) const;

    /// Its file; empty where it has none.
    std::filesystem::path file_of(std::string_view name) const;
    /// The text that a lesson was made of, as its file is now; empty where that cannot be read any more.
    std::string source_of(std::string_view name) const;

    /// What could not be read in the last look that found a change: "file:line: field: why"; empty when all is well.
    const std::string& error() const { return error_; }

private:
    struct File {
        std::filesystem::path path;
        std::vector<FileStamp> read;  // with its pictures, as they were
        std::shared_ptr<const Lesson> lesson;
        bool changed() const;
    };
    /// A lesson without a file, and its text.
    struct Taken {
        std::shared_ptr<const Lesson> lesson;
        std::string source;
    };
    std::vector<std::filesystem::path> look() const;
    void read(File& file);
    void list();

    std::vector<std::filesystem::path> places_;
    std::vector<Taken> taken_;
    std::vector<File> files_;
    std::vector<std::shared_ptr<const Lesson>> lessons_;
    std::string error_;
    double looked_ = -1e9;
    int language_ = language_changes();  // that the files were chosen in
};

}  // namespace glassformer::app
