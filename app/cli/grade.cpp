#include <algorithm>
#include <cstdio>
#include <map>
#include <optional>

#include "app/cli/cli.h"
#include "app/cli/csv_row.h"
#include "app/cli/homework_replay.h"
#include "app/cli/lesson_check.h"
#include "app/language/sentences.h"
#include "app/language/tr.h"
#include "core/base/error.h"
#include "core/io/glass_file.h"
#include "core/io/output_file.h"
#include "core/platform/atomic_file.h"
#include "core/text/shown_bytes.h"

namespace glassformer::app {

namespace {

namespace fs = std::filesystem;

std::vector<fs::path> homework_in(const fs::path& folder) {
    std::vector<fs::path> files;
    for (const fs::directory_entry& entry : fs::directory_iterator(folder))
        if (is_glass_file(entry.path())) files.push_back(entry.path());
    std::ranges::sort(files);
    if (files.empty()) throw Error("there is no homework (*.glass) in {1}", folder);
    return files;
}

std::string both(const std::string& one, const std::string& other) {
    return one.empty() || other.empty() ? one + other : filled(tr("{1}; {2}"), {one, other});
}

std::string yes_or_no(bool yes) { return yes ? "yes" : "no"; }

class Grading {
public:
    /// Throws Error if the assigned lesson does not begin on this machine.
    explicit Grading(const GradeArgs& args) : args_(args) {
        if (!args.lesson.empty()) replay({});
    }

    /// Adds the rows of one file.
    void add(const fs::path& file) {
        const std::string name = file.filename().string();
        LessonBundle with;
        HandedIn homework;
        try {
            with = read_lesson_bundle(file);
            if (with.answers.empty()) throw Error("it contains no answers: it was saved, not handed in");
            homework = answers_from_json(with.answers, name + ": answers.json");
            if (homework.student.empty()) throw Error("it does not say whose it is: it was saved, not handed in");
        } catch (const Error& e) {
            table_ += csv_row({name, "", "", "", "", "", "", "no", "", "", "", tr(e)});
            return tell_of(name, tr(e));
        }
        try {
            HomeworkReplay& replaying = replay(homework.lesson);
            const LessonCopy copy(replaying.lesson(), replaying.file(), with, homework);
            add(name, homework, replaying, copy);
        } catch (const Error& e) {  // not the student's fault: neither right nor wrong
            const std::string why = filled(tr("cannot be marked: {1}"), {tr(e)});
            table_ += csv_row({name, homework.student, homework.lesson, "", "", "", "", "", "", "", "", why});
            tell_of(name, why);
        }
    }

    const std::string& table() const { return table_; }

private:
    void add(const std::string& name, const HandedIn& homework, HomeworkReplay& replaying, const LessonCopy& copy) {
        int right = 0, all = 0, not_marked = 0;
        const std::string same = same_as(homework, name);
        for (const HomeworkMark& mark : replaying.grade(homework, copy)) {
            const bool marked = mark.not_marked.empty(), forged = mark.claimed && !mark.right && mark.kind == "task";
            const std::string note = !marked  ? filled(tr("cannot be marked: {1}"), {mark.not_marked})
                                     : forged ? filled(tr("the check fails: {1}"), {mark.note})
                                              : mark.note;
            const std::string notes = both(note, same);
            table_ += csv_row({name, homework.student, replaying.lesson().name, std::to_string(mark.step), mark.title,
                               mark.kind, yes_or_no(mark.claimed), marked ? yes_or_no(mark.right) : "", mark.shown,
                               std::to_string(mark.attempts), std::to_string(mark.hints), notes});
            right += mark.right ? 1 : 0;
            ++(marked ? all : not_marked);
        }
        std::string told = not_marked > 0 ? filled_with(tr("{1}, {2} of {3}, {4} cannot be marked"), homework.student,
                                                        right, all, not_marked)
                                          : filled_with(tr("{1}, {2} of {3}"), homework.student, right, all);
        if (!copy.is_ours())
            told =
                filled(not_marked > 0 ? tr("{1}; {2} worked on another version of this lesson: its questions differ")
                                      : tr("{1}; {2} worked on another version of this lesson: only its text differs"),
                       {told, copy.whose()});
        tell_of(name, both(told, same));
    }

    /// Names an earlier file, from whichever student, with the very same guesses, attempts, hints and trainings; else
    /// empty.
    std::string same_as(HandedIn homework, const std::string& name) {
        homework.student.clear();
        const auto [first, is_new] = handed_in_.try_emplace(answers_to_json(homework), name);
        return is_new ? "" : filled(tr("same answers and trainings as {1}"), {first->second});
    }

    static void tell_of(const std::string& name, const std::string& what) {
        std::printf("%s: %s\n", shown_bytes(name).c_str(), shown_bytes(what).c_str());
        std::fflush(stdout);
    }

    /// The replay of the assigned lesson, or else of the shipped one that a file names.
    HomeworkReplay& replay(const std::string& named) {
        auto& found = replays_[args_.lesson.empty() ? named : args_.lesson];
        const auto file = [&] { return args_.lesson.empty() ? shipped_lesson_file(named) : lesson_file(args_.lesson); };
        if (!found) found.emplace(file(), args_.most_steps, args_.model);
        return *found;
    }

    const GradeArgs& args_;
    std::map<std::string, std::optional<HomeworkReplay>> replays_;
    std::map<std::string, std::string> handed_in_;  // the first file with these answers
    std::string table_ = csv_row({"file", "student", "lesson", "step", "title", "kind", "claimed", "right", "shown",
                                  "attempts", "hints", "note"});
};

}  // namespace

int run_grade(const GradeArgs& args) {
    if (!fs::is_directory(args.folder)) throw Error("{1} is not a folder of homework", args.folder);
    const std::vector<fs::path> files = homework_in(args.folder);
    std::vector<std::string> inputs{args.lesson};
    for (const fs::path& file : files) inputs.push_back(file.string());
    if (args.csv != "-") require_output(args.csv, FileKind::grades_csv, inputs);
    Grading grading(args);
    for (const fs::path& file : files) grading.add(file);
    if (args.csv == "-")
        std::fwrite(grading.table().data(), 1, grading.table().size(), stdout);
    else
        write_file_atomically(args.csv, grading.table());
    return 0;
}

}  // namespace glassformer::app
