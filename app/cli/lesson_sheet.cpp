#include <algorithm>
#include <utility>

#include "app/cli/lesson_check.h"
#include "app/export/markup.h"
#include "app/language/tr.h"

namespace glassformer::app {

namespace {

/// A formula as lessons write it, "d^(1/2)" and "W_Q", in HTML with superscripts and subscripts.
std::string formula(std::string_view text) {
    std::string html = "<var>";
    for (std::size_t i = 0; i < text.size(); ++i) {
        const char* tag = text[i] == '^' ? "sup" : text[i] == '_' ? "sub" : nullptr;
        if (!tag) {
            html += text[i];
            continue;
        }
        const bool brackets = i + 1 < text.size() && text[i + 1] == '(';
        const std::size_t from = i + (brackets ? 2 : 1),
                          end = std::min(text.find_first_of(brackets ? ")" : " ()[],/", from), text.size());
        html += std::string("<") + tag + ">" + std::string(text.substr(from, end - from)) + "</" + tag + ">";
        i = brackets ? end : end - 1;
    }
    return html + "</var>";
}

/// Paragraphs, with **stars** as bold and $formulas$; empty if there is no text.
std::string paragraphs(std::string_view plain) {
    while (plain.starts_with('\n')) plain.remove_prefix(1);
    while (plain.ends_with('\n')) plain.remove_suffix(1);
    if (plain.empty()) return {};
    std::string html = "<p>";
    bool bold = false;
    for (std::size_t i = 0; i < plain.size(); ++i) {
        if (plain.compare(i, 2, "**") == 0) {
            html += bold ? "</b>" : "<b>";
            bold = !bold;
            ++i;
        } else if (const std::size_t close = plain[i] == '$' ? plain.find('$', i + 1) : std::string::npos;
                   close != std::string::npos && close < plain.find('\n', i)) {
            html += formula(plain.substr(i + 1, close - i - 1));
            i = close;
        } else if (plain[i] == '\n') {
            html += "</p>\n<p>";
        } else {
            html += plain[i];
        }
    }
    return html + "</p>\n";
}

/// A picture embedded in the page, so that this is one file, and its caption.
std::string figure(const LessonPicture& picture, const std::string& shows) {
    std::string html = "<figure>";
    if (picture.problem.empty())
        html += "<img alt=\"\" width=\"" + std::to_string(picture.width) + "\" src=\"data:image/png;base64," +
                base64(picture.png) + "\">";
    return html + "<figcaption>" + escaped(shows) + "</figcaption></figure>\n";
}

/// The text with the numbers as they are on screen, and its pictures.
std::string text_of(const ShownText& shown) {
    std::string html, plain;
    std::size_t k = 0;
    for (const LiveText::Piece& piece : shown.text.pieces) {
        if (piece.picture)
            html += paragraphs(std::exchange(plain, {})) + figure(*piece.picture, piece.text);
        else
            plain += piece.live ? "<i>" + escaped(shown.values[k++].shown) + "</i>" : escaped(piece.text);
    }
    return html + paragraphs(plain);
}

/// A heading and its lines; empty if there are none.
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
    step.text = text_of(lessons.text());
    if (step.notes.empty() && !lessons.step().notes.empty())
        step.notes = text_of(shown_text(lessons.step().notes, lessons.place(shown)));
    step.model = shown.model->world.empty() ? tr("written by hand") : shown.model->world;
    if (!lessons.step().question) return;
    step.choices = lessons.asked().choices;
    step.right = lessons.asked().right;
    if (!lessons.asks()) step.after = text_of(lessons.after());
}

std::string LessonSheet::html() const {
    std::string code = language();
    std::ranges::replace(code, '_', '-');
    std::string page = "<!doctype html>\n<html lang=\"" + code + "\"><head><meta charset=\"utf-8\"><title>" +
                       escaped(title_) + "</title><style>" + style + "</style></head><body>\n<h1>" + escaped(title_) +
                       "</h1>\n<p class=\"about\">" +
                       filled(tr("Aim: each student can answer “{1}”"), {escaped(about_)}) + "</p>\n";
    int questions = 0;
    for (const Step& step : steps_) questions += step.choices.empty() ? 0 : 1;
    page +=
        "<p>" +
        filled_with(minutes_ > 0 ? tr("{1} steps, {2} questions, about {3} minutes.") : tr("{1} steps, {2} questions."),
                    steps_.size(), questions, minutes_) +
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
