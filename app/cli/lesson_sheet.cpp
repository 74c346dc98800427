#include <algorithm>

#include "app/cli/lesson_check.h"
#include "app/common/provenance.h"
#include "app/export/markup.h"
#include "app/language/tr.h"
#include "app/ui/math_text.h"

namespace glassformer::app {

namespace {

/// A formula as lessons write it, "d^(1/2)" and "W_Q", in HTML with superscripts and subscripts.
std::string formula(std::string_view text) {
    std::string html = "<var>";
    for (std::size_t mark; (mark = text.find_first_of("^_")) != std::string_view::npos;) {
        const math::Script script = math::script_from(text, mark + 1);
        const std::string tag = text[mark] == '^' ? "sup" : "sub";
        html += escaped(text.substr(0, mark)) + "<" + tag + ">" + escaped(script.text) + "</" + tag + ">";
        text = text.substr(script.end);
    }
    return html + escaped(text) + "</var>";
}

/// A lesson's text in HTML, cut as on the screen: **stars** are bold, and a $formula$ lies between two values.
class Paragraphs {
public:
    void plain(std::string_view text) {
        while (!text.empty()) {
            const std::size_t close = text.front() == '$' ? text.find('$', 1) : std::string_view::npos;
            std::size_t length = 1;
            if (text.starts_with("**")) {
                bold_ = !bold_, length = 2;
            } else if (text.front() == '\n') {
                end();
            } else if (close != std::string_view::npos) {
                add(formula(text.substr(1, close - 1)));
                length = close + 1;
            } else {
                length = std::min({text.find('\n'), text.find("**"), text.find('$', 1), text.size()});
                add(escaped(text.substr(0, length)));
            }
            text.remove_prefix(length);
        }
    }
    void value(std::string_view shown) { add("<i>" + escaped(shown) + "</i>"); }
    void figure(const std::string& html) {
        end();
        html_ += html;
    }
    /// The text of one line, without the tags of a paragraph.
    const std::string& line() const { return line_; }
    const std::string& html() {
        end();
        return html_;
    }

private:
    void add(const std::string& html) { line_ += bold_ ? "<b>" + html + "</b>" : html; }
    void end() {
        if (line_.find_first_not_of(' ') != std::string::npos) html_ += "<p>" + line_ + "</p>\n";
        line_.clear();
    }

    std::string html_, line_;
    bool bold_ = false;
};

/// A picture embedded in the page, so that this is one file, and its caption.
std::string figure(const LessonPicture& picture, const std::string& shows) {
    std::string html = "<figure>";
    if (picture.problem.empty())
        html += "<img alt=\"\" width=\"" + std::to_string(picture.width) + "\" src=\"data:image/png;base64," +
                base64(picture.png) + "\">";
    return html + "<figcaption>" + escaped(shows) + "</figcaption></figure>\n";
}

/// The text with the numbers as they are on screen, and its pictures.
std::string html_of(const ShownText& shown) {
    Paragraphs text;
    std::size_t k = 0;
    for (const LiveText::Piece& piece : shown.text.pieces) {
        if (piece.picture)
            text.figure(figure(*piece.picture, piece.text));
        else if (piece.live)
            text.value(shown.values[k++].shown);
        else
            text.plain(piece.text);
    }
    return text.html();
}

/// A heading and its lines; empty if there are none.
std::string list(const char* heading, const std::vector<std::string>& lines) {
    if (lines.empty()) return {};
    std::string html = std::string("<h2>") + heading + "</h2>\n<ul>\n";
    for (const std::string& line : lines) {
        Paragraphs text;
        text.plain(line);
        html += "<li>" + text.line() + "</li>\n";
    }
    return html + "</ul>\n";
}

constexpr const char* style =
    "body{font:16px/1.45 Inter,'DejaVu Sans',sans-serif;max-width:46em;margin:2em auto;padding:0 1em;color:#1f2937}"
    "h1{margin-bottom:0}h2{font-size:1.1em;margin:1.6em 0 .3em;border-top:1px solid #d1d5db;padding-top:1em}"
    ".about{color:#475569;margin-top:.2em}.model{color:#475569;font-size:.85em}p{margin:.4em 0}"
    "i{font-style:normal;font-weight:600;color:#5b21b6}ul{margin:.4em 0;padding-left:1.4em}"
    "li.right{font-weight:600;color:#166534}li.right::after{content:' ✓'}.after{border-left:3px solid #166534;"
    "padding-left:.8em}figure{margin:.8em 0}img{max-width:100%;height:auto}figcaption{color:#475569;"
    "font-size:.85em}.notes{color:#475569;border-left:3px solid #cbd5e1;padding-left:.8em}@media "
    "print{body{margin:0}h2{break-after:avoid}}";

}  // namespace

void LessonSheet::add(const LessonRunner& lessons, const Snapshot& shown) {
    const Lesson& lesson = *lessons.lesson();
    title_ = lesson.title, about_ = lesson.about, minutes_ = lesson.minutes;
    goes_wrong_ = lesson.goes_wrong, exercises_ = lesson.exercises;
    if (steps_.empty() || steps_.back().at != lessons.at())
        steps_.push_back({lessons.at(), {}, {}, {}, {}, {}, {}, {}});
    Step& step = steps_.back();
    step.title = lessons.step().title;
    step.text = html_of(lessons.text());
    if (step.notes.empty() && !lessons.step().notes.empty())
        step.notes = html_of(shown_text(lessons.step().notes, lessons.place(shown)));
    step.model = shown.model->world.empty() ? folder_name(shown.model->folder) : shown.model->world;
    if (!lessons.step().question) return;
    step.choices = lessons.asked().choices;
    step.right = lessons.asked().right;
    if (!lessons.asks()) step.after = html_of(lessons.after());
}

std::string LessonSheet::html() const {
    std::string code = language();
    std::ranges::replace(code, '_', '-');
    std::string page = "<!doctype html>\n<html lang=\"" + code + "\"><head><meta charset=\"utf-8\"><title>" +
                       escaped(title_) + "</title><style>" + style + "</style></head><body>\n<h1>" + escaped(title_) +
                       "</h1>\n";
    if (!about_.empty())
        page += "<p class=\"about\">" + filled(tr("Aim: each student can answer “{1}”"), {escaped(about_)}) + "</p>\n";
    int questions = 0;
    for (const Step& step : steps_) questions += step.choices.empty() ? 0 : 1;
    const auto steps = static_cast<std::int64_t>(steps_.size());
    page += "<p>" +
            filled(minutes_ > 0 ? tr("{1}, {2}, about {3}.") : tr("{1}, {2}."),
                   {filled(tr("{1} step", "{1} steps", steps), {std::to_string(steps)}),
                    filled(tr("{1} question", "{1} questions", questions), {std::to_string(questions)}),
                    filled(tr("{1} minute", "{1} minutes", minutes_), {std::to_string(minutes_)})}) +
            " " +
            filled_with(tr("The {1} numbers and words are the model's own, as the class will see them."),
                        std::string("<i>") + tr("marked") + "</i>") +
            "</p>\n";
    std::string model;
    for (const Step& step : steps_) {
        page += "<h2>" + std::to_string(step.at + 1) + ". " + escaped(step.title) + "</h2>\n";
        if (step.model != model)
            page += "<p class=\"model\">" + filled(tr("model: {1}"), {escaped(step.model)}) + "</p>\n";
        model = step.model;
        page += step.text;
        if (!step.notes.empty()) page += "<div class=\"notes\">" + step.notes + "</div>\n";
        if (step.choices.empty()) continue;
        page += "<ul>\n";
        for (std::size_t i = 0; i < step.choices.size(); ++i)
            page += std::string(i < step.right.size() && step.right[i] ? "<li class=\"right\">" : "<li>") +
                    escaped(step.choices[i]) + "</li>\n";
        page += "</ul>\n<div class=\"after\">" + step.after + "</div>\n";
    }
    page += list(tr("What goes wrong"), goes_wrong_) + list(tr("Exercises"), exercises_);
    return page + "</body></html>\n";
}

}  // namespace glassformer::app
