#include "app/lessons/lesson_folder.h"

#include <algorithm>
#include <cstdlib>
#include <utility>

#include "app/language/tr.h"
#include "app/lessons/lesson_file.h"
#include "core/base/error.h"

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

}  // namespace

LessonFolder::LessonFolder(fs::path folder) : folder_(std::move(folder)) { refresh(); }

bool LessonFolder::poll(double now) {
    if (now - looked_ < 1.0) return false;
    looked_ = now;
    return refresh();
}

/// The files as they are now, unread. One that vanishes meanwhile is left out.
std::vector<LessonFolder::File> LessonFolder::look() const {
    std::vector<File> found;
    std::error_code gone;
    if (folder_.empty()) return found;
    for (const fs::directory_entry& entry : fs::directory_iterator(folder_, gone)) {
        if (entry.path().extension() != ".lesson" || !is_shown(entry.path())) continue;
        std::error_code failed;
        File file{entry.path(), fs::last_write_time(entry.path(), failed), 0, nullptr};
        if (!failed) file.size = fs::file_size(entry.path(), failed);
        if (!failed) found.push_back(std::move(file));
    }
    // 2 before 10: lessons are numbered.
    std::ranges::sort(found, {}, [](const File& file) {
        const std::string name = file.path.filename().string();
        return std::pair{std::strtol(name.c_str(), nullptr, 10), name};
    });
    return found;
}

bool LessonFolder::refresh() {
    std::vector<File> now = look();
    if (now == files_) return false;
    error_.clear();
    lessons_.clear();
    for (File& file : now) {
        const auto before = std::ranges::find(files_, file.path, &File::path);
        if (before != files_.end()) file.lesson = before->lesson;
        try {
            if (before == files_.end() || *before != file || !file.lesson)
                file.lesson = std::make_shared<const Lesson>(load_lesson(file.path));
        } catch (const Error& e) {
            error_ += (error_.empty() ? "" : "\n") + std::string(e.what());
        }
        if (file.lesson) lessons_.push_back(file.lesson);
    }
    files_ = std::move(now);
    return true;
}

int LessonFolder::find(std::string_view name) const {
    const auto found =
        std::ranges::find_if(lessons_, [&](const auto& l) { return l->name == name || l->title == name; });
    return found == lessons_.end() ? -1 : static_cast<int>(found - lessons_.begin());
}

}  // namespace glassformer::app
