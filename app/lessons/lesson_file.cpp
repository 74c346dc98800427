#include "app/lessons/lesson_file.h"

#include <algorithm>
#include <functional>
#include <sstream>
#include <utility>

#include "app/lessons/scene_format.h"
#include "core/base/error.h"
#include "core/base/join.h"
#include "core/base/mark_text.h"
#include "core/base/trimmed.h"
#include "core/io/glass_file.h"
#include "core/text/shown_bytes.h"

namespace glassformer::app {

namespace {

constexpr std::size_t most_choices = 6;

/// Reads the lines one after another.
class LessonReader {
public:
    LessonReader(const std::string& source, const std::string& name, const PictureSource& pictures)
        : lines_(source), pictures_(pictures) {
        lesson_.name = name;
        lesson_.source = source;
    }

    Lesson read() {
        std::string raw;
        for (number_ = 1; std::getline(lines_, raw); ++number_) {
            if (number_ == 1 && raw.starts_with("\xEF\xBB\xBF")) raw.erase(0, 3);  // BOM from Windows editors
            const std::string_view line = trimmed(raw);
            if (const std::string hidden = hidden_in(line); !hidden.empty()) fail(number_, "text", hidden);
            if (line.starts_with('#')) continue;
            if (line.starts_with("=="))
                begin_step(trimmed(line.substr(2)));
            else if (line == "---")
                begin_after();
            else if (in_fields_)
                field_line(line);
            else
                text_line(line);
        }
        end_step();
        if (lesson_.title.empty()) fail(1, "lesson", N_("is missing: the first line should be lesson: and its title"));
        if (lesson_.steps.empty()) fail(number_, "steps", N_("there is no step; one begins with == and its title"));
        return std::move(lesson_);
    }

private:
    using Setter = void (LessonReader::*)(std::string_view);
    static constexpr std::array<std::string_view, 7> head_fields{"lesson",     "about",    "next", "minutes",
                                                                 "goes wrong", "exercise", "model"};

    [[noreturn]] void fail(int line, const std::string& field, const std::string& why) const {
        throw Error("{1}:{2}: {3}: {4}", lesson_.name, line, field, why);
    }
    /// Calls `read`, and adds the place to any Error.
    void at(int line, const std::string& field, const std::function<void()>& read) const {
        try {
            read();
        } catch (const Error& e) {
            fail(line, field, e.what());
        }
    }

    Scene& scene() { return after_ ? step_.question->scene : step_.scene; }
    void need_question(const char* field) {
        if (after_) throw Error("{1} belongs before the line ---", field);
        if (!step_.question) step_.question.emplace().line = number_;
    }

    void begin_step(std::string_view title) {
        end_step();
        if (title.empty()) fail(number_, "==", N_("a step needs a title after =="));
        const Scene before = lesson_.steps.empty() ? first_ : step_.question ? step_.question->scene : step_.scene;
        step_ = {};
        step_.line = number_;
        step_.title = title;
        step_.scene = before;
        forget_step(step_.scene);
        in_step_ = in_fields_ = true;
        after_ = false;
    }

    /// Clears what belongs to a single step.
    static void forget_step(Scene& scene) {
        scene.lights.clear();
        scene.hides.clear();
        scene.keeps.clear();
        scene.claims.clear();
        scene.tries.clear();
        scene.what_if.clear();
        scene.explain.reset();
        scene.wait.reset();
        scene.paints.clear();
        scene.generate = 0;
    }

    /// Begins the part shown after the guess: the step's scene with the changes that follow.
    void begin_after() {
        if (!in_step_)
            fail(number_, "---", N_("belongs in a step, between its question and what is shown after the guess"));
        if (after_) fail(number_, "---", N_("is allowed only once in a step"));
        if (!step_.question) fail(number_, "---", N_("needs a question before it: two or more lines choice:"));
        take_text(step_.text);
        take_search();
        step_.question->scene = step_.scene;
        step_.question->scene.hides.clear();
        step_.question->scene.keeps.clear();
        step_.question->scene.claims.clear();
        step_.question->scene.tries.clear();
        after_ = in_fields_ = true;
    }

    void end_step() {
        if (!in_step_) return;
        take_text(after_ ? step_.question->after : step_.text);
        take_search();
        if (step_.text.empty()) fail(step_.line, "text", filled_with(N_("the step \"{1}\" has no text"), step_.title));
        if (step_.question) check_question(*step_.question);
        if (step_.question && step_.task)
            fail(step_.task->line, "task", N_("needs a step of its own, without a question"));
        if (step_.task && step_.task->done.all.empty())
            fail(step_.task->line, "task", N_("is missing: hint and typing need one"));
        lesson_.steps.push_back(step_);
        in_step_ = false;
    }

    /// A head is searched for in what is shown by the part of the step that asks for it.
    void take_search() {
        if (std::exchange(asked_for_head_, false))
            scene().search = {scene().search.how, scene().sentences, scene().step};
    }

    void check_question(const Question& q) const {
        if (!after_) fail(step_.line, "choice", N_("a question needs a line --- and what is shown after the guess"));
        if (q.of && !q.choices.empty()) fail(q.line, "choices", N_("replaces choice:; do not use both"));
        if (q.of) return;
        if (q.choices.size() < 2 || q.choices.size() > most_choices)
            fail(step_.line, "choice", N_("a question needs two to six choices"));
        const bool told = std::ranges::any_of(q.choices, [](const Choice& c) { return c.when.has_value(); });
        if (!told && q.answer.empty())
            fail(step_.line, "answer",
                 N_("is missing: write answer: {…}, or \"when\" and a comparison after a choice"));
    }

    /// Parses paragraphs, each of which may begin with "when {…} > 0.5:" or "otherwise:".
    void take_text(LessonText& text) {
        while (text_.ends_with('\n') || text_.ends_with(' ')) text_.pop_back();
        std::string_view rest = text_;
        for (std::size_t i = 0; !rest.empty(); ++i) {
            const std::size_t end = rest.find('\n');
            const int line = paragraph_lines_[i];
            at(line, "text", [&] { text.push_back(paragraph(rest.substr(0, end), line)); });
            if (text.back().otherwise && (text.size() < 2 || !(text[text.size() - 2].when)))
                fail(line, "text", N_("otherwise: belongs after a paragraph with when"));
            rest.remove_prefix(end == std::string_view::npos ? rest.size() : end + 1);
        }
        text_.clear();
        paragraph_lines_.clear();
    }

    Paragraph paragraph(std::string_view source, int line) {
        Paragraph p = parse_paragraph(source, line);
        for (LiveText::Piece& piece : p.text.pieces)
            if (piece.picture) piece.picture = loaded(*piece.picture);
        return p;
    }

    std::shared_ptr<const LessonPicture> loaded(const LessonPicture& wanted) {
        std::size_t bytes = 0;
        for (const auto& known : lesson_.pictures) {
            if (known->file == wanted.file) return known;
            bytes += known->png.size();
        }
        if (lesson_.pictures.size() == most_lesson_pictures)
            throw Error("a lesson has at most {1} pictures", most_lesson_pictures);
        LessonPicture picture = load_picture(wanted, pictures_);
        if (bytes + picture.png.size() > most_pictures_bytes) {
            picture.png.clear();
            picture.problem = filled_with(N_("with it, the lesson's pictures exceed {1} MB; make them smaller"),
                                          most_pictures_bytes / 1'000'000);
        }
        return lesson_.pictures.emplace_back(std::make_shared<LessonPicture>(std::move(picture)));
    }

    /// Joins the lines of a paragraph; an empty line ends it.
    void text_line(std::string_view line) {
        if (line.empty()) {
            if (!text_.empty() && !text_.ends_with('\n')) text_ += '\n';
            return;
        }
        if (text_.empty() || text_.ends_with('\n'))
            paragraph_lines_.push_back(number_);
        else
            text_ += ' ';
        text_ += line;
    }

    void field_line(std::string_view line) {
        if (line.empty()) {
            in_fields_ = !in_step_;
            return;
        }
        const std::size_t colon = line.find(':');
        if (colon == std::string_view::npos)
            fail(number_, std::string(line), N_("is not a field \"name: value\"; the text begins after an empty line"));
        const std::string field(trimmed(line.substr(0, colon)));
        const std::string_view value = trimmed(line.substr(colon + 1));
        const auto setter = std::ranges::find(setters, field, &std::pair<std::string_view, Setter>::first);
        const bool head = std::ranges::find(head_fields, field) != head_fields.end(), anywhere = field == "model";
        const bool of_scene = setter == setters.end();
        const std::vector<std::string_view> scene_names = scene_fields();
        if (of_scene && std::ranges::find(scene_names, field) == scene_names.end())
            fail(number_, field, filled_with(N_("there is no such field; the fields are {1}"), known_fields()));
        if (head == in_step_ && !anywhere)
            fail(number_, field,
                 head ? N_("belongs to the top of the file") : N_("belongs to a step, below a line =="));
        if (value.empty()) fail(number_, field, N_("has no value"));
        asked_for_head_ = asked_for_head_ || field == "head";
        at(number_, field, [&] {
            if (of_scene)
                set_scene_field(scene(), field, value, number_);
            else
                (this->*setter->second)(value);
        });
    }

    static std::string known_fields() {
        return join(setters, ", ", [](const auto& field) { return quoted_name(field.first); }) + ", " +
               join(scene_fields(), ", ", quoted_name);
    }

    void set_title(std::string_view v) { lesson_.title = v; }
    void set_about(std::string_view v) { lesson_.about = v; }
    void set_next(std::string_view v) { lesson_.next = v; }
    void set_minutes(std::string_view v) { lesson_.minutes = whole_number(v); }
    void add_wrong(std::string_view v) { lesson_.goes_wrong.emplace_back(v); }
    void add_exercise(std::string_view v) { lesson_.exercises.emplace_back(v); }
    /// "homonyms"; "fresh homonyms" for an untrained model, also "fresh homonyms with n_layers 6, residual false";
    /// "shipped homonyms" for the program's own even if the student has trained one; "any" for whatever is on screen.
    void set_model(std::string_view v) {
        constexpr std::string_view fresh = "fresh ", shipped = "shipped ";
        Scene& s = in_step_ ? scene() : first_;
        // Another model has other words and heads.
        if (in_step_) {
            s.sentences = s.words = {};
            s.layer.reset(), s.head.reset(), s.step.reset(), s.to_source.reset();
            s.search = {};
            s.beside = {};
            s.slot = 0;
        }
        s.fresh = v.starts_with(fresh);
        s.switches.clear();
        if (s.fresh) {
            const std::size_t with = v.find(" with ");
            if (with != std::string_view::npos) s.switches = parse_switches(v.substr(with + 6));
            v = trimmed(v.substr(fresh.size(), with == std::string_view::npos ? with : with - fresh.size()));
        }
        s.shipped = !s.fresh && v.starts_with(shipped);
        if (s.shipped) v = trimmed(v.substr(shipped.size()));
        s.model = !s.fresh && !s.shipped && v == "any" ? std::string_view() : v;
    }
    void set_what_if(std::string_view v) {
        // The question's changes are dropped once the part after the guess has its own.
        if (after_ && changes_before_ != step_.line) scene().what_if.clear();
        if (after_) changes_before_ = step_.line;
        if (v != "none") scene().what_if.push_back(parse_change(v));
    }
    void set_light(std::string_view v) {
        // The question's highlights are dropped once the part after the guess has its own.
        if (after_ && lights_before_ != step_.line) scene().lights.clear();
        if (after_) lights_before_ = step_.line;
        scene().lights.push_back(parse_live_text(v, number_));
    }
    void set_hide(std::string_view v) {
        need_question("hide");
        if (v.starts_with('{'))
            scene().keeps.push_back(one_expression(v, number_, N_("must be one {…}, or the name of an item")));
        else
            scene().hides.push_back(parse_live_text(v, number_));
    }
    void add_choice(std::string_view v) {
        need_question("choice");
        Choice choice;
        const std::size_t when = v.rfind(" when ");
        if (when != std::string_view::npos) choice.when = parse_condition(v.substr(when + 6), number_);
        choice.text = parse_live_text(trimmed(v.substr(0, when)), number_);
        if (choice.text.empty()) throw Error("has no text");
        step_.question->choices.push_back(std::move(choice));
    }
    /// Why the choice above is wrong, or, below "choices", why every wrong one is.
    void set_because(std::string_view v) {
        Question* const q = step_.question ? &*step_.question : nullptr;
        if (after_ || !q || (q->choices.empty() && !q->of)) throw Error("belongs below the choice that it is about");
        LiveText& because = q->of ? q->because : q->choices.back().because;
        if (!because.empty()) throw Error("is allowed only once below a choice");
        because = parse_live_text(v, number_);
    }
    /// "{A: top "bat"} of 4"
    void set_choices(std::string_view v) {
        need_question("choices");
        const std::size_t of = v.rfind(" of ");
        if (of == std::string_view::npos) throw Error("must say how many: {…} of 4");
        step_.question->of =
            one_expression(trimmed(v.substr(0, of)), number_, N_("must be one {…}, then \"of\" and how many"));
        step_.question->count = whole_number(trimmed(v.substr(of + 4)));
        if (step_.question->count < 2 || step_.question->count > static_cast<int>(most_choices))
            throw Error("a question has two to six choices");
    }
    void set_in_sight(std::string_view v) {
        need_question("answer in sight");
        step_.question->in_sight = one_of_names(v, {"no", "yes"}) == 1;
    }
    LessonTask& task() {
        if (after_) throw Error("belongs before the line ---");
        if (!step_.task) step_.task.emplace().line = number_;
        return *step_.task;
    }
    void set_task(std::string_view v) { task().done = parse_condition(v, number_); }
    void set_typing(std::string_view v) { task().typing = one_of_names(v, {"no", "yes"}) == 1; }
    void add_hint(std::string_view v) { task().hints.push_back(parse_live_text(v, number_)); }
    void set_answer(std::string_view v) {
        need_question("answer");
        step_.question->answer = parse_live_text(v, number_);
    }

    void add_notes(std::string_view v) { step_.notes.push_back(paragraph(v, number_)); }

    static const std::array<std::pair<std::string_view, Setter>, 19> setters;

    std::istringstream lines_;
    const PictureSource& pictures_;
    Lesson lesson_;
    LessonStep step_;
    Scene first_;  // from the top of the file
    int number_ = 1, lights_before_ = -1, changes_before_ = -1;
    std::vector<int> paragraph_lines_;
    bool in_step_ = false, in_fields_ = true, after_ = false, asked_for_head_ = false;
    std::string text_;
};

const std::array<std::pair<std::string_view, LessonReader::Setter>, 19> LessonReader::setters{{
    {"lesson", &LessonReader::set_title},
    {"about", &LessonReader::set_about},
    {"next", &LessonReader::set_next},
    {"minutes", &LessonReader::set_minutes},
    {"goes wrong", &LessonReader::add_wrong},
    {"exercise", &LessonReader::add_exercise},
    {"model", &LessonReader::set_model},
    {"what if", &LessonReader::set_what_if},
    {"light", &LessonReader::set_light},
    {"hide", &LessonReader::set_hide},
    {"choice", &LessonReader::add_choice},
    {"choices", &LessonReader::set_choices},
    {"because", &LessonReader::set_because},
    {"answer", &LessonReader::set_answer},
    {"answer in sight", &LessonReader::set_in_sight},
    {"task", &LessonReader::set_task},
    {"typing", &LessonReader::set_typing},
    {"hint", &LessonReader::add_hint},
    {"notes", &LessonReader::add_notes},
}};

}  // namespace

Lesson parse_lesson(const std::string& source, const std::string& name, const PictureSource& pictures) {
    return LessonReader(source, name, pictures).read();
}

std::string picture_problems(const Lesson& lesson) {
    std::string all;
    for (const auto& picture : lesson.pictures)
        if (!picture->problem.empty())
            all += (all.empty() ? "" : "\n") + filled_with(N_("{1}:{2}: picture: {3}: {4}"), lesson.name, picture->line,
                                                           picture->file, picture->problem);
    return all;
}

}  // namespace glassformer::app
