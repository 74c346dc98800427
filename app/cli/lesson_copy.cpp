#include <algorithm>

#include "app/cli/homework_replay.h"
#include "app/language/tr.h"
#include "app/lessons/lesson_file.h"
#include "core/base/error.h"
#include "core/platform/atomic_file.h"
#include "core/text/shown_bytes.h"

namespace glassformer::app {

namespace {

namespace fs = std::filesystem;

constexpr std::uint64_t most_lesson_bytes = 1 << 20;

/// True for the lecturer's file, or the same lesson in another language beside it.
bool is_text_of(const std::string& text, const Lesson& lesson, const fs::path& file) {
    const fs::path folder = file.has_parent_path() ? file.parent_path() : fs::path(".");
    return std::ranges::any_of(fs::directory_iterator(folder), [&](const fs::directory_entry& entry) {
        const fs::path& path = entry.path();
        const bool other_language = !language_of_lesson(path).empty() && path.stem().stem() == lesson.name;
        const bool is_one = path.filename() == file.filename() || (path.extension() == ".lesson" && other_language);
        return is_one && read_file(path, most_lesson_bytes) == text;
    });
}

/// The window calls a second lesson of the same name "NAME-2".
bool is_name_of(std::string_view name, const Lesson& lesson) {
    if (!name.starts_with(lesson.name)) return false;
    name.remove_prefix(lesson.name.size());
    const std::size_t digits = name.find_first_not_of("0123456789", 1);
    return name.empty() || (name.size() > 1 && name.front() == '-' && digits == std::string_view::npos);
}

std::string written(const LiveText& text) {
    std::string all;
    for (const LiveText::Piece& piece : text.pieces) all += piece.live ? "{" + piece.live->source + "}" : piece.text;
    return all + "\n";
}

/// The parts of a scene that a question is about.
std::string written(const Scene& s) {
    std::string all = (s.fresh ? "fresh " : "") + s.model;
    for (const SetupSwitch& with : s.switches) all += ", " + with.name + " " + with.value;
    for (const std::string& text : s.sentences) all += "\n" + text;
    for (const std::string& word : s.words) all += "\n" + word;
    for (const int number : {s.layer.value_or(-1), s.head.value_or(-1), static_cast<int>(s.search.how)})
        all += "\n" + std::to_string(number);
    all += "\n" + std::to_string(s.step.value_or(-1));
    for (const SceneChange& change : s.what_if)
        all += "\n" + describe(change.change) + change.word + (change.this_head ? " here" : "");
    return all + "\n";
}

/// All that a student reads before the answer; for a task, what must be brought about. Not what makes an answer right:
/// the lecturer may correct that.
std::string asked(const LessonStep& step) {
    if (step.task) return step.task->done.source;
    if (!step.question) return {};
    std::string all = written(step.scene);
    for (const Paragraph& p : step.text)
        all += (p.when ? "when " + p.when->source : std::string(p.otherwise ? "otherwise" : "")) + written(p.text);
    for (const Choice& choice : step.question->choices) all += "choice " + written(choice.text);
    if (step.question->of) all += step.question->of->source + " of " + std::to_string(step.question->count);
    return all;
}

}  // namespace

LessonCopy::LessonCopy(const Lesson& ours, const fs::path& file, const LessonBundle& with, const HandedIn& handed_in)
    : ours_(ours), student_(handed_in.student.empty() ? tr("the student") : handed_in.student) {
    const bool same = !with.lesson.empty() && is_text_of(with.lesson, ours, file);
    const bool renamed = same && with.lesson_name == handed_in.lesson;  // by the lecturer, since it was assigned
    if (!renamed && !is_name_of(handed_in.lesson, ours))
        throw Error("these are answers to the lesson {1}, not to {2}", in_quotes(handed_in.lesson),
                    in_quotes(ours.name));
    if (!same && !with.lesson.empty()) theirs_ = parse_lesson(with.lesson, N_("its lesson.lesson"));
}

int LessonCopy::step_like(int step) const {
    if (!theirs_) return step;
    const std::string wanted = asked(ours_.steps[step]);
    const std::vector<LessonStep>& there = theirs_->steps;
    const auto is_like = [&](const LessonStep& s) { return asked(s) == wanted; };
    if (step < static_cast<int>(there.size()) && is_like(there[step])) return step;
    const auto found = std::ranges::find_if(there, is_like);
    return found == there.end() ? -1 : static_cast<int>(found - there.begin());
}

}  // namespace glassformer::app
