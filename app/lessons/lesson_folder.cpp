#include "app/lessons/lesson_folder.h"

#include <algorithm>
#include <cstdlib>
#include <utility>

#include "app/language/tr.h"
#include "app/lessons/lesson_file.h"
#include "core/base/error.h"
#include "core/platform/atomic_file.h"

namespace glassformer::app {

namespace fs = std::filesystem;

namespace {

/// A lesson stands in its language's file where there is one, and else in the file that names no language.
bool is_shown(const fs::path& file) {
    const std::string of = language_of_lesson(file);
    if (!of.empty()) return of == language();
    std::error_code ignored;
    return !fs::exists(fs::path(file).replace_extension("." + language() + ".lesson"), ignored);
}

constexpr std::uint64_t largest_lesson = 1 << 20;

/// The lessons of a folder, or the one file.
std::vector<fs::path> lesson_files(const fs::path& place) {
    std::vector<fs::path> files;
    std::error_code gone;
    if (!fs::is_directory(place, gone)) return {place};
    for (const fs::directory_entry& entry : fs::directory_iterator(place, gone))
        if (entry.path().extension() == ".lesson" && is_shown(entry.path())) files.push_back(entry.path());
    // 2 before 10: lessons are numbered.
    std::ranges::sort(files, {}, [](const fs::path& file) {
        const std::string name = file.filename().string();
        return std::pair{std::strtol(name.c_str(), nullptr, 10), name};
    });
    return files;
}

}  // namespace

LessonFolder::LessonFolder(const fs::path& folder) {
    if (!folder.empty()) places_.push_back(folder);
    refresh();
}

void LessonFolder::look_also(const fs::path& place) {
    if (std::ranges::find(places_, place) == places_.end()) places_.push_back(place);
    refresh();
}

std::string LessonFolder::take(Lesson lesson, std::string source) {
    for (const auto& known : lessons_)
        if (source_of(known->name) == source) return known->name;
    const std::string name = lesson.name;
    for (int i = 2; find(lesson.name) >= 0; ++i) lesson.name = name + "-" + std::to_string(i);
    taken_.push_back({std::make_shared<const Lesson>(std::move(lesson)), std::move(source)});
    list();
    return taken_.back().lesson->name;
}

fs::path LessonFolder::file_of(std::string_view name) const {
    for (const File& file : files_)
        if (file.lesson && file.lesson->name == name) return file.path;
    return {};
}

std::string LessonFolder::source_of(std::string_view name) const {
    for (const Taken& taken : taken_)
        if (taken.lesson->name == name) return taken.source;
    try {
        const fs::path file = file_of(name);
        return file.empty() ? std::string() : read_file(file, largest_lesson);
    } catch (const Error&) {
        return {};
    }
}

bool LessonFolder::poll(double now) {
    if (now - looked_ < 1.0) return false;
    looked_ = now;
    return refresh();
}

/// The files as they are now, unread. One that vanishes meanwhile is left out.
std::vector<LessonFolder::File> LessonFolder::look() const {
    std::vector<File> found;
    for (const fs::path& place : places_)
        for (const fs::path& path : lesson_files(place)) {
            if (std::ranges::find(found, path, &File::path) != found.end()) continue;  // opened by itself, too
            std::error_code failed;
            File file{path, fs::last_write_time(path, failed), 0, nullptr};
            if (!failed) file.size = fs::file_size(path, failed);
            if (!failed) found.push_back(std::move(file));
        }
    return found;
}

bool LessonFolder::refresh() {
    std::vector<File> now = look();
    if (now == files_) return false;
    error_.clear();
    for (File& file : now) {
        const auto before = std::ranges::find(files_, file.path, &File::path);
        if (before != files_.end()) file.lesson = before->lesson;
        try {
            if (before == files_.end() || *before != file || !file.lesson)
                file.lesson = std::make_shared<const Lesson>(load_lesson(file.path));
        } catch (const Error& e) {
            error_ += (error_.empty() ? "" : "\n") + std::string(e.what());
        }
    }
    files_ = std::move(now);
    list();
    return true;
}

void LessonFolder::list() {
    lessons_.clear();
    for (const File& file : files_)
        if (file.lesson) lessons_.push_back(file.lesson);
    for (const Taken& taken : taken_) lessons_.push_back(taken.lesson);
}

int LessonFolder::find(std::string_view name) const {
    const auto found =
        std::ranges::find_if(lessons_, [&](const auto& l) { return l->name == name || l->title == name; });
    return found == lessons_.end() ? -1 : static_cast<int>(found - lessons_.begin());
}

}  // namespace glassformer::app
