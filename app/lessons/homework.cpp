#include "app/lessons/homework.h"

#include <algorithm>
#include <nlohmann/json.hpp>

#include "app/language/sentences.h"
#include "app/language/tr.h"
#include "app/lessons/lesson_runner.h"
#include "app/lessons/scene_format.h"
#include "core/base/error.h"
#include "core/base/mark_text.h"
#include "core/io/json_fields.h"
#include "core/io/run_settings.h"
#include "core/platform/atomic_file.h"
#include "core/train/task.h"

namespace glassformer::app {

namespace fs = std::filesystem;
using nlohmann::json;

namespace {

using nlohmann::json;

constexpr int answers_version = 1;
constexpr std::size_t most_name_bytes = 200, most_steps = 1000, most_count = 1'000'000;

/// Returns how the model on screen was trained, so that a fresh model of its world can be trained the same way.
json training_to_json(const Snapshot& s) {
    const RunInfo* run = s.current_run();
    if (!run) return nullptr;
    json training{{"step", s.live_step}, {"options", train_options_to_json(run->setup.options)}};
    if (!run->origin.change.empty()) training["changed"] = run->origin.change;
    return training;
}

std::string changed_in(const json& evidence, const std::string& file) {
    const json training = evidence.value("training", json());
    return training.is_object() ? field_or<std::string>(training, "changed", "", file) : "";
}

json to_json(const TaskAnswer& a) {
    json object{{"attempts", a.attempts}, {"hints", a.hints}, {"done", a.done}, {"shown", a.shown}};
    if (!a.evidence.empty()) object["evidence"] = json::parse(a.evidence);
    return object;
}

int count_in(const json& object, const char* name, const std::string& file) {
    return static_cast<int>(std::min<std::uint64_t>(field_or<std::uint64_t>(object, name, 0, file), most_count));
}

TaskAnswer answer_from_json(const json& object, const std::string& file) {
    if (!object.is_object()) fail_in_field(file, "tasks", N_("must be objects"));
    TaskAnswer a{count_in(object, "attempts", file),
                 count_in(object, "hints", file),
                 field_or<bool>(object, "done", false, file),
                 field_or<std::string>(object, "shown", "", file),
                 {},
                 {}};
    if (!has_field(object, "evidence")) return a;
    if (!object["evidence"].is_object()) fail_in_field(file, "evidence", N_("must be an object"));
    a.evidence = object["evidence"].dump();
    a.changed = changed_in(object["evidence"], file);
    return a;
}

constexpr std::uintmax_t most_bytes = 4 << 20;

/// Returns an unused name beside the file.
fs::path beside(const fs::path& file, const std::string& ending) {
    std::error_code error;
    fs::path name = fs::path(file).concat(ending);
    for (int i = 2; fs::exists(name, error); ++i) name = fs::path(file).concat(ending + "-" + std::to_string(i));
    return name;
}

/// Returns what the lesson's file is called: a hash of the titles, "-", a hash of what is the same in every language.
std::string kept_name_of(const Lesson& lesson) {
    std::string titles = lesson.title, same = lesson.name;
    for (const LessonStep& step : lesson.steps) {
        titles += (step.task ? "\ntask " : "\n") + step.title;
        same += "\n" + step.scene.model + "\n" + step.scene.sentences[0] + "\n" + step.scene.sentences[1];
        if (step.task) same += "\ntask " + step.task->done.source;
        if (step.question) same += "\nquestion " + std::to_string(step.question->choices.size());
    }
    return std::to_string(WorldSource::hash_of(titles)) + "-" + std::to_string(WorldSource::hash_of(same));
}

/// The work, with those tasks and guesses of earlier work that it lacks.
LessonWork with_earlier(LessonWork work, const LessonWork& earlier) {
    for (const auto& [step, answer] : earlier.tasks)
        if (TaskAnswer& mine = work.tasks[step]; mine == TaskAnswer{} || (answer.done && !mine.done)) mine = answer;
    work.guesses.resize(std::max(work.guesses.size(), earlier.guesses.size()), LessonRunner::no_guess);
    for (std::size_t i = 0; i < earlier.guesses.size(); ++i)
        if (work.guesses[i] == LessonRunner::no_guess) work.guesses[i] = earlier.guesses[i];
    return work;
}

}  // namespace

TaskAnswer Homework::at(const std::string& lesson, int step) const {
    const std::map<int, TaskAnswer> answers = of_lesson(lesson);
    const auto found = answers.find(step);
    return found == answers.end() ? TaskAnswer{} : found->second;
}

std::map<int, TaskAnswer> Homework::of_lesson(const std::string& lesson) const {
    const auto found = answers_.find(lesson);
    return found == answers_.end() ? std::map<int, TaskAnswer>{} : found->second;
}

const std::string& Homework::student_of(const std::string& lesson) const {
    static const std::string nobody;
    const auto found = students_.find(lesson);
    return found == students_.end() ? nobody : found->second;
}

std::string answers_to_json(const HandedIn& h) {
    json tasks = json::object();
    for (const auto& [step, answer] : h.tasks) tasks[std::to_string(step + 1)] = to_json(answer);
    return json{{"format", "glassformer homework"},
                {"version", answers_version},
                {"student", h.student},
                {"lesson", h.lesson},
                {"tasks", tasks},
                {"guesses", h.guesses}}
               .dump(2, ' ', false, json::error_handler_t::replace) +
           "\n";
}

HandedIn answers_from_json(const std::string& text, const std::string& file) {
    const json object = parse_object(text, file);
    if (field<std::string>(object, "format", file) != "glassformer homework")
        fail_in_field(file, "format", N_("must be \"glassformer homework\""));
    if (const int version = field<int>(object, "version", file); version > answers_version)
        throw Error("{1} was made by a newer Glassformer; update Glassformer to read it", file);
    HandedIn h{field<std::string>(object, "student", file), field<std::string>(object, "lesson", file), {}, {}};
    if (h.student.size() > most_name_bytes) fail_in_field(file, "student", N_("is too long for a name"));
    const json tasks = object.value("tasks", json::object());
    if (!tasks.is_object() || tasks.size() > most_steps) fail_in_field(file, "tasks", N_("must be an object"));
    for (const auto& [step, answer] : tasks.items()) {
        const bool number =
            !step.empty() && step.size() < 5 && step.find_first_not_of("0123456789") == std::string::npos;
        if (!number || std::stoi(step) < 1) fail_in_field(file, "tasks", filled_with(N_("has a step \"{1}\""), step));
        h.tasks[std::stoi(step) - 1] = answer_from_json(answer, file);
    }
    const json guesses = object.value("guesses", json::array());
    if (!guesses.is_array() || guesses.size() > most_steps) fail_in_field(file, "guesses", N_("must be a list"));
    for (const json& guess : guesses) {
        const bool whole = guess.is_number_integer() && guess.get<std::int64_t>() >= LessonRunner::only_shown &&
                           guess.get<std::int64_t>() < 100;
        if (!whole) fail_in_field(file, "guesses", N_("must be numbers of choices"));
        h.guesses.push_back(guess.get<int>());
    }
    return h;
}

bool has_tasks(const Lesson& lesson) {
    return std::ranges::any_of(lesson.steps, [](const LessonStep& step) { return step.task.has_value(); });
}

std::string why_not_counted(const LessonTask& task, const Scene& scene, const Snapshot& snapshot) {
    for (std::size_t slot = 0; slot < scene.sentences.size() && !task.typing; ++slot)
        if (!scene.sentences[slot].empty() && snapshot.text_of(static_cast<int>(slot)) != scene.sentences[slot])
            return filled_with(N_("sentence {1} must be the sentence of this step"), slot == 0 ? "A" : "B");
    return {};
}

std::string shown_sides(const Condition& condition, const LivePlace& place) {
    std::string all;
    for (const Condition::Comparison& c : condition.all) {
        const bool named = c.left.pieces.size() == 1 && c.left.pieces[0].live;
        const std::string value = evaluate(c.left, place), asked = c.sign + " " + evaluate(c.right, place);
        all += all.empty() ? "" : "  ·  ";
        all += named ? filled(tr("{1} = {2} (asked: {3})"), {c.left.pieces[0].live->source, value, asked})
                     : value + " " + asked;
    }
    return all;
}

Condition open_part(const Condition& condition, const LivePlace& place) {
    Condition open;
    for (const Condition::Comparison& c : condition.all)
        if (const Condition one{{c}, {}, 0}; !holds(one, place).value_or(false)) open.all.push_back(c);
    return open;
}

void try_task(const Frame& frame, LessonRunner& lessons) {
    const Snapshot& s = frame.snapshot;
    const LessonTask& task = *lessons.step().task;
    TaskAnswer& answer = lessons.homework().of(lessons.lesson()->name, lessons.at());
    const LivePlace place = lessons.place(s);
    ++answer.attempts;
    answer.shown = tr_sentence(why_not_counted(task, lessons.scene(), s));
    if (!answer.shown.empty()) return;
    const Condition open = open_part(task.done, place);
    answer.shown = shown_sides(open.all.empty() ? task.done : open, place);
    if (!open.all.empty()) return;
    answer.done = true;
    const json evidence{{"scene", scene_to_json(moment_of(frame.state, s), s)}, {"training", training_to_json(s)}};
    answer.evidence = evidence.dump();
    answer.changed = changed_in(evidence, "");
}

std::string why_not_marked(const std::string& title, const TaskAnswer& answer) {
    return filled(tr("“{1}” cannot be marked: the training's settings changed midway ({2}), so it cannot be repeated. "
                     "Press Reset, train without changes, and press Check."),
                  {title, answer.changed});
}

ShownText shown_hints(const LessonTask& task, int count, const LivePlace& place) {
    LessonText hints;
    for (int i = 0; i < std::min(count, static_cast<int>(task.hints.size())); ++i) {
        LiveText hint;
        hint.pieces.push_back({filled(tr("**Hint {1}.** "), {std::to_string(i + 1)}), {}});
        const LiveText& said = task.hints[i];
        hint.pieces.insert(hint.pieces.end(), said.pieces.begin(), said.pieces.end());
        hints.push_back({{}, false, std::move(hint)});
    }
    return shown_text(hints, place);
}

fs::path KeptHomework::file_of(const std::string& name) const {
    const std::string titles = name.substr(0, name.find('-')), same = name.substr(titles.size());
    const fs::path file = folder_ / (name + ".json"), of_old_version = folder_ / (titles + ".json");
    std::error_code error;
    if (fs::exists(file, error)) return file;
    fs::rename(of_old_version, file, error);
    if (!error) return file;
    fs::path with_titles, with_same;
    for (fs::directory_iterator entry(folder_, error), end; !error && entry != end; entry.increment(error)) {
        if (entry->path().extension() != ".json") continue;
        const std::string stem = entry->path().stem().string();
        if (stem.starts_with(titles + "-")) with_titles = entry->path();
        if (stem.ends_with(same)) with_same = entry->path();
    }
    return !with_titles.empty() ? with_titles : !with_same.empty() ? with_same : file;
}

std::optional<LessonWork> KeptHomework::read(const Lesson& lesson) {
    if (folder_.empty()) return std::nullopt;
    const std::string name = kept_name_of(lesson);
    const fs::path file = file_of(name);
    last_name_.clear(), last_ = {};
    std::error_code error;
    if (!fs::exists(file, error)) return std::nullopt;
    last_ = work_in(file);
    last_name_ = name;
    return last_;
}

/// Renames a file that cannot be parsed.
LessonWork KeptHomework::work_in(const fs::path& file) {
    const std::string text = read_file(file, most_bytes);
    try {
        HandedIn in = answers_from_json(text, file.string());
        const int at = field_or<int>(parse_object(text, file.string()), "at", 0, file.string());
        return {std::move(in.tasks), std::move(in.guesses), std::max(0, at)};
    } catch (const Error&) {
        std::error_code error;
        fs::rename(file, beside(file, ".damaged"), error);
        throw;
    }
}

void KeptHomework::write(const Lesson& lesson, const LessonWork& work) {
    if (folder_.empty()) return;
    const std::string name = kept_name_of(lesson);
    if (name == last_name_ && work == last_) return;
    const fs::path file = file_of(name);
    std::error_code error;
    last_name_ = name, last_ = work;  // set before writing, so that a full disk is reported once per change
    const LessonWork all = fs::exists(file, error) ? with_earlier(work, work_in(file)) : work;
    json object = json::parse(answers_to_json({"", lesson.name, all.tasks, all.guesses}));
    object["at"] = all.at;
    fs::create_directories(folder_, error);
    if (error) throw Error("cannot create the folder {1}: {2}", folder_, error.message());
    write_file_atomically(file, object.dump(2) + "\n");
}

fs::path KeptHomework::put_aside(const Lesson& lesson) {
    std::error_code error;
    const fs::path file = file_of(kept_name_of(lesson)), aside = beside(file, ".before");
    last_name_.clear();
    if (folder_.empty() || !fs::exists(file, error)) return {};
    fs::rename(file, aside, error);
    if (error) throw Error("{1} cannot be set aside: {2}", file, error.message());
    return aside;
}

}  // namespace glassformer::app
