#include "app/cli/lesson_sheet.h"

#include "app/export/markup.h"

namespace glassformer::app {

namespace {

/// Paragraphs, with **stars** as bold and the numbers as they stand on screen.
std::string paragraphs(const ShownText& shown) {
    std::string plain;
    std::size_t k = 0;
    for (const LiveText::Piece& piece : shown.text.pieces)
        plain += piece.live ? "<i>" + escaped(shown.values[k++].shown) + "</i>" : escaped(piece.text);
    std::string html = "<p>";
    bool bold = false;
    for (std::size_t i = 0; i < plain.size(); ++i) {
        if (plain.compare(i, 2, "**") == 0) {
            html += bold ? "</b>" : "<b>";
            bold = !bold;
            ++i;
        } else if (plain[i] == '\n') {
            html += "</p>\n<p>";
        } else {
            html += plain[i];
        }
    }
    return html + "</p>\n";
}

/// A heading and its lines; nothing where there are none.
std::string list(const char* heading, const std::vector<std::string>& lines) {
    if (lines.empty()) return {};
    std::string html = std::string("<h2>") + heading + "</h2>\n<ul>\n";
    for (const std::string& line : lines) html += "<li>" + escaped(line) + "</li>\n";
    return html + "</ul>\n";
}

constexpr const char* style =
    "body{font:16px/1.45 Inter,'DejaVu Sans',sans-serif;max-width:46em;margin:2em auto;padding:0 1em;color:#1f2937}"
    "h1{margin-bottom:0}h2{font-size:1.1em;margin:1.6em 0 .3em;border-top:1px solid #d1d5db;padding-top:1em}"
    ".about{color:#475569;margin-top:.2em}.model{color:#475569;font-size:.85em}p{margin:.4em 0}"
    "i{font-style:normal;font-weight:600;color:#5b21b6}ul{margin:.4em 0;padding-left:1.4em}"
    "li.right{font-weight:600;color:#166534}li.right::after{content:' ✓'}.after{border-left:3px solid #166534;"
    "padding-left:.8em}.notes{color:#475569;border-left:3px solid #cbd5e1;padding-left:.8em}@media "
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
    step.text = paragraphs(lessons.text());
    if (step.notes.empty() && !lessons.step().notes.empty())
        step.notes = paragraphs(shown_text(lessons.step().notes, lessons.place(shown)));
    step.model = shown.model->world.empty() ? "written by hand" : shown.model->world;
    if (!lessons.step().question) return;
    step.choices = lessons.asked().choices;
    step.right = lessons.asked().right;
    if (!lessons.asks()) step.after = paragraphs(lessons.after());
}

std::string LessonSheet::html() const {
    std::string page = "<!doctype html>\n<html lang=\"en\"><head><meta charset=\"utf-8\"><title>" + escaped(title_) +
                       "</title><style>" + style + "</style></head><body>\n<h1>" + escaped(title_) +
                       "</h1>\n<p class=\"about\">" + escaped(about_) + "</p>\n";
    int questions = 0;
    for (const Step& step : steps_) questions += step.choices.empty() ? 0 : 1;
    page += "<p>" + std::to_string(steps_.size()) + " steps, " + std::to_string(questions) + " questions" +
            (minutes_ > 0 ? ", about " + std::to_string(minutes_) + " minutes" : "") +
            ". The <i>marked</i> numbers and words are the model's own, as the class will see them.</p>\n";
    std::string model;
    for (const Step& step : steps_) {
        page += "<h2>" + std::to_string(step.at + 1) + ". " + escaped(step.title) + "</h2>\n";
        if (step.model != model) page += "<p class=\"model\">model: " + escaped(step.model) + "</p>\n";
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
    page += list("What goes wrong", goes_wrong_) + list("Exercises", exercises_);
    return page + "</body></html>\n";
}

}  // namespace glassformer::app
