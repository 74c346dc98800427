#include "app/lessons/kept_homework.h"

#include <algorithm>

#include "app/language/tr.h"
#include "core/base/error.h"
#include "core/io/json_fields.h"
#include "core/platform/atomic_file.h"
#include "core/text/text_file.h"
#include "core/train/task.h"

namespace glassformer::app {

namespace fs = std::filesystem;
using nlohmann::json;

namespace {

constexpr std::uintmax_t most_bytes = 4 << 20;

/// A name beside the file that nothing has yet.
fs::path beside(const fs::path& file, const std::string& ending) {
    std::error_code error;
    fs::path name = fs::path(file).concat(ending);
    for (int i = 2; fs::exists(name, error); ++i) name = fs::path(file).concat(ending + "-" + std::to_string(i));
    return name;
}

}  // namespace

fs::path KeptHomework::file_of(const Lesson& lesson) const {
    std::string titles = lesson.title;
    for (const LessonStep& step : lesson.steps) titles += (step.task ? "\ntask " : "\n") + step.title;
    return folder_ / (std::to_string(WorldSource::hash_of(titles)) + ".json");
}

std::optional<LessonWork> KeptHomework::read(const Lesson& lesson) {
    if (folder_.empty()) return std::nullopt;
    const fs::path file = file_of(lesson);
    last_file_.clear(), last_ = {};
    std::error_code error;
    if (!fs::exists(file, error)) return std::nullopt;
    const std::string text = read_file(file, most_bytes);
    try {
        HandedIn in = answers_from_json(text, file.string());
        const int at = field_or<int>(parse_object(text, file.string()), "at", 0, file.string());
        last_ = {std::move(in.tasks), std::move(in.guesses), std::max(0, at)};
        last_file_ = file;
        return last_;
    } catch (const Error&) {
        fs::rename(file, beside(file, ".damaged"), error);
        throw;
    }
}

void KeptHomework::write(const Lesson& lesson, const LessonWork& work) {
    if (folder_.empty()) return;
    const fs::path file = file_of(lesson);
    std::error_code error;
    if (file == last_file_ ? work == last_ : fs::exists(file, error)) return;  // one that could not be read stays
    last_file_ = file, last_ = work;  // a disk that is full is reported once for each change
    json object = json::parse(answers_to_json({"", lesson.name, work.tasks, work.guesses}));
    object["at"] = work.at;
    fs::create_directories(folder_, error);
    if (error) throw Error(filled(tr("the folder {1} cannot be made: {2}"), {folder_.string(), error.message()}));
    write_file_atomically(file, object.dump(2) + "\n");
}

fs::path KeptHomework::put_aside(const Lesson& lesson) {
    std::error_code error;
    const fs::path file = file_of(lesson), aside = beside(file, ".before");
    last_file_.clear();
    if (folder_.empty() || !fs::exists(file, error)) return {};
    fs::rename(file, aside, error);
    if (error) throw Error(filled(tr("{1} cannot be put aside: {2}"), {file.string(), error.message()}));
    return aside;
}

}  // namespace glassformer::app
