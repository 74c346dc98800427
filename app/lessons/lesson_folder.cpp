#include <algorithm>
#include <cctype>
#include <cstdlib>
#include <utility>

#include "app/lessons/lesson_runner.h"
#include "core/base/error.h"
#include "core/platform/atomic_file.h"

namespace glassformer::app {

namespace fs = std::filesystem;

namespace {

constexpr std::uint64_t largest_lesson = 1 << 20;

/// A lesson is shown from the file in the chosen language if there is one, otherwise from the file without a language.
bool is_shown(const fs::path& file) {
    const std::string of = language_of_lesson(file);
    if (!of.empty()) return of == language();
    std::error_code ignored;
    return !fs::exists(fs::path(file).replace_extension("." + language() + ".lesson"), ignored);
}

/// Returns the lessons of a folder, or the given file.
std::vector<fs::path> lesson_files(const fs::path& place) {
    std::vector<fs::path> files;
    std::error_code gone;
    if (!fs::is_directory(place, gone)) return {place};
    for (const fs::directory_entry& entry : fs::directory_iterator(place, gone))
        if (entry.path().extension() == ".lesson" && is_shown(entry.path())) files.push_back(entry.path());
    // Sorts 2 before 10, because lessons are numbered.
    std::ranges::sort(files, {}, [](const fs::path& file) {
        const std::string name = file.filename().string();
        return std::pair{std::strtol(name.c_str(), nullptr, 10), name};
    });
    return files;
}

}  // namespace

FileStamp stamp_of(const fs::path& path) {
    std::error_code failed;
    FileStamp stamp{path, fs::last_write_time(path, failed)};
    if (failed) return {path};
    stamp.bytes = fs::file_size(path, failed);
    return failed ? FileStamp{path} : stamp;
}

Lesson load_lesson(const fs::path& file, std::vector<FileStamp>* read) {
    const auto note = [&](const fs::path& path) {
        if (read) read->push_back(stamp_of(path));
    };
    note(file);
    const fs::path folder = file.parent_path();
    Lesson lesson =
        parse_lesson(read_file(file, largest_lesson), file.stem().string(), [&](const std::string& picture) {
            note(folder / picture);
            return pictures_in(folder)(picture);
        });
    lesson.language = language_of_lesson(file);
    if (!lesson.language.empty()) lesson.name = file.stem().stem().string();
    return lesson;
}

std::string language_of_lesson(const fs::path& file) {
    const std::string end = file.stem().extension().string();  // ".de", ".pt_BR"
    const bool is_one =
        (end.size() == 3 || (end.size() == 6 && end[3] == '_')) && std::islower(end[1]) && std::islower(end[2]);
    return is_one ? end.substr(1) : std::string();
}

LessonFolder::LessonFolder(const fs::path& folder) {
    if (!folder.empty()) places_.push_back(folder);
    refresh();
}

void LessonFolder::look_also(const fs::path& place) {
    if (std::ranges::find(places_, place) == places_.end()) places_.push_back(place);
    refresh();
}

std::string LessonFolder::name_of(const fs::path& path) const {
    std::error_code ignored;
    for (const File& file : files_)
        if (file.lesson && fs::equivalent(file.path, path, ignored)) return file.lesson->name;
    return {};
}

std::string LessonFolder::take(Lesson lesson) {
    for (const auto& known : lessons_)
        if (known->source == lesson.source) return known->name;
    lesson.name = free_name(lesson.name);
    taken_.push_back(std::make_shared<const Lesson>(std::move(lesson)));
    list();
    return taken_.back()->name;
}

std::string LessonFolder::free_name(const std::string& name) const {
    std::string free = name;
    for (int i = 2; std::ranges::find(lessons_, free, [](const auto& l) { return l->name; }) != lessons_.end(); ++i)
        free = name + "-" + std::to_string(i);
    return free;
}

fs::path LessonFolder::file_of(std::string_view name) const {
    for (const File& file : files_)
        if (file.lesson && file.lesson->name == name) return file.path;
    return {};
}

bool LessonFolder::poll(double now) {
    if (now - looked_ < 1.0 && language_ == language_changes()) return false;
    looked_ = now;
    language_ = language_changes();
    return refresh();
}

/// Returns the files that exist now.
std::vector<fs::path> LessonFolder::look() const {
    std::vector<fs::path> found;
    for (const fs::path& place : places_) {
        std::error_code gone;
        const bool single = !fs::is_directory(place, gone);  // it may be in one of the folders, too
        for (const fs::path& path : lesson_files(place)) {
            const auto is_same = [&](const fs::path& other) {
                return path == other || (single && fs::equivalent(path, other, gone));
            };
            if (fs::exists(path, gone) && std::ranges::none_of(found, is_same)) found.push_back(path);
        }
    }
    return found;
}

bool LessonFolder::File::changed() const {
    return read.empty() ||
           std::ranges::any_of(read, [](const FileStamp& stamp) { return stamp_of(stamp.path) != stamp; });
}

void LessonFolder::read(File& file) {
    const auto tell = [&](const std::string& what) { error_ += (error_.empty() ? "" : "\n") + what; };
    file.read.clear();
    try {
        file.lesson = std::make_shared<const Lesson>(load_lesson(file.path, &file.read));
        if (const std::string problems = picture_problems(*file.lesson); !problems.empty()) tell(problems);
    } catch (const Error& e) {
        tell(e.what());
    }
}

bool LessonFolder::refresh() {
    const std::vector<fs::path> paths = look();
    if (std::ranges::equal(paths, files_, {}, {}, &File::path) && std::ranges::none_of(files_, &File::changed))
        return false;
    error_.clear();
    std::vector<File> now;
    for (const fs::path& path : paths) {
        const auto before = std::ranges::find(files_, path, &File::path);
        File& file = now.emplace_back(before == files_.end() ? File{path, {}, nullptr} : *before);
        if (file.changed() || !file.lesson) read(file);
    }
    files_ = std::move(now);
    list();
    return true;
}

void LessonFolder::list() {
    lessons_.clear();
    for (File& file : files_) {
        if (!file.lesson) continue;
        if (const std::string name = free_name(file.lesson->name); name != file.lesson->name) {
            Lesson renamed = *file.lesson;
            renamed.name = name;
            file.lesson = std::make_shared<const Lesson>(std::move(renamed));
        }
        lessons_.push_back(file.lesson);
    }
    lessons_.insert(lessons_.end(), taken_.begin(), taken_.end());
}

int LessonFolder::find(std::string_view name) const {
    const auto found =
        std::ranges::find_if(lessons_, [&](const auto& l) { return l->name == name || l->title == name; });
    return found == lessons_.end() ? -1 : static_cast<int>(found - lessons_.begin());
}

}  // namespace glassformer::app
