#include <algorithm>
#include <cstdio>
#include <map>
#include <optional>

#include "app/cli/checks.h"
#include "app/cli/cli.h"
#include "app/cli/homework_replay.h"
#include "app/cli/lesson_models.h"
#include "core/base/error.h"
#include "core/io/glass_file.h"
#include "core/platform/atomic_file.h"
#include "core/text/shown_bytes.h"

namespace glassformer::app {

namespace {

namespace fs = std::filesystem;

/// A field of a table. What a spreadsheet would take for a formula is none there.
std::string cell(std::string text) {
    text = shown_bytes(text);
    if (!text.empty() && std::string_view("=+-@").find(text.front()) != std::string_view::npos) text.insert(0, "'");
    if (text.find_first_of(",\"") == std::string::npos) return text;
    for (std::size_t at = 0; (at = text.find('"', at)) != std::string::npos; at += 2) text.insert(at, "\"");
    return '"' + text + '"';
}

std::string row(const std::vector<std::string>& cells) {
    std::string line;
    for (const std::string& text : cells) line += (line.empty() ? "" : ",") + cell(text);
    return line + "\n";
}

std::vector<fs::path> homework_in(const fs::path& folder) {
    std::vector<fs::path> files;
    for (const fs::directory_entry& entry : fs::directory_iterator(folder))
        if (is_glass_file(entry.path())) files.push_back(entry.path());
    std::ranges::sort(files);
    if (files.empty()) throw Error("there is no homework (*.glass) in " + folder.string());
    return files;
}

std::string yes_or_no(bool yes) { return yes ? "yes" : "no"; }

class Grading {
public:
    explicit Grading(const GradeArgs& args) : args_(args) {}

    /// The rows of one file.
    void add(const fs::path& file) {
        const std::string name = file.filename().string();
        HandedIn homework;
        try {
            const HandedOn with = read_handed_on(file);
            if (with.answers.empty()) throw Error("there are no answers in it: it was saved, not handed in");
            homework = answers_from_json(with.answers, name + ": answers.json");
            replay(homework.lesson);
        } catch (const Error& e) {
            table_ += row({name, "", "", "", "", "", "", "no", "", "", "", e.what()});
            std::printf("%s: %s\n", name.c_str(), shown_bytes(e.what()).c_str());
            return;
        }
        int right = 0, all = 0;
        HomeworkReplay& replaying = replay(homework.lesson);
        for (const HomeworkMark& mark : replaying.grade(homework)) {
            const bool forged = mark.claimed && !mark.right && mark.kind == "task";
            table_ +=
                row({name, homework.student, replaying.lesson().name, std::to_string(mark.step), mark.title, mark.kind,
                     yes_or_no(mark.claimed), yes_or_no(mark.right), mark.shown, std::to_string(mark.attempts),
                     std::to_string(mark.hints), forged ? "claimed and not so: " + mark.note : mark.note});
            right += mark.right ? 1 : 0;
            ++all;
        }
        std::printf("%s: %s, %d of %d\n", name.c_str(), shown_bytes(homework.student).c_str(), right, all);
        std::fflush(stdout);
    }

    const std::string& table() const { return table_; }

private:
    /// Of the lesson that was given out, or else of the program's that a file names.
    HomeworkReplay& replay(const std::string& named) {
        auto& found = replays_[args_.lesson.empty() ? named : args_.lesson];
        const auto file = [&] { return args_.lesson.empty() ? shipped_lesson_file(named) : lesson_file(args_.lesson); };
        if (!found) found.emplace(file(), args_.most_steps);
        return *found;
    }

    const GradeArgs& args_;
    std::map<std::string, std::optional<HomeworkReplay>> replays_;
    std::string table_ = row({"file", "student", "lesson", "step", "title", "kind", "claimed", "right", "shown",
                              "attempts", "hints", "note"});
};

}  // namespace

int run_grade(const GradeArgs& args) {
    if (!fs::is_directory(args.folder)) throw Error(args.folder + " is not a folder of homework");
    if (args.csv != "-") require_writable_file(args.csv);
    if (!args.lesson.empty()) lesson_file(args.lesson);
    Grading grading(args);
    for (const fs::path& file : homework_in(args.folder)) grading.add(file);
    if (args.csv == "-")
        std::fwrite(grading.table().data(), 1, grading.table().size(), stdout);
    else
        write_file_atomically(args.csv, grading.table());
    return 0;
}

}  // namespace glassformer::app
