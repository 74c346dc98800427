#include <algorithm>
#include <array>
#include <cctype>
#include <cmath>
#include <cstdlib>

#include "app/cli/lesson_check.h"
#include "core/base/filled.h"
#include "core/base/mark_text.h"

namespace glassformer::app {

namespace {

template <class Cover>
bool within(const Item& item, const Cover& cover) {
    const ImVec2 c = item.centre();
    return c.x >= cover.min.x && c.x <= cover.max.x && c.y >= cover.min.y && c.y <= cover.max.y;
}

/// True if an item is outside the visible part of the area it scrolls in.
bool scrolled_out(const Items& items, const Item& item) {
    return item.area >= 0 && !within(item, items.areas()[item.area]);
}

/// True for the words of the sentences, which are on every screen.
bool is_of_sentence(std::string_view label) {
    return label.find("/token ") != std::string_view::npos || label.find("/source ") != std::string_view::npos;
}

bool holds(const std::vector<std::string>& all, std::string_view one) {
    return std::ranges::find(all, one) != all.end();
}

/// The significant words of a text, in lower case and without a plural's s.
std::vector<std::string> telling_words(std::string_view text) {
    static constexpr std::array little{"the", "and",  "are",  "was",  "were", "is",   "it",   "its",
                                       "of",  "to",   "in",   "on",   "at",   "an",   "by",   "as",
                                       "be",  "they", "for",  "not",  "no",   "yes",  "or",   "so",
                                       "too", "with", "that", "this", "what", "from", "when", "about"};
    std::vector<std::string> words;
    std::string word;
    const auto end_word = [&] {
        if (word.size() > 3 && word.ends_with('s')) word.pop_back();
        const bool number = !word.empty() && std::isdigit(static_cast<unsigned char>(word[0]));
        if ((number || word.size() > 2) && std::ranges::find(little, word) == little.end() && !holds(words, word))
            words.push_back(word);
        word.clear();
    };
    for (const char c : text) {
        const auto byte = static_cast<unsigned char>(c);
        if (byte < 0x80 && !std::isalnum(byte))
            end_word();
        else
            word += static_cast<char>(byte < 0x80 ? std::tolower(byte) : byte);
    }
    end_word();
    return words;
}

/// True if a text has a number with at least two decimals that one of the answer's rounds to; 0 and 1 are everywhere.
bool tells_number(std::string_view text, const std::vector<double>& numbers) {
    for (std::size_t begin = 0; begin < text.size();) {
        const std::size_t digits = text.find_first_of("0123456789", begin);
        if (digits == std::string_view::npos) return false;
        begin = std::min(text.find_first_not_of("0123456789.", digits), text.size());
        std::string token(text.substr(digits, begin - digits));
        while (token.ends_with('.')) token.pop_back();
        const std::size_t point = token.find('.');
        if (point == std::string::npos || token.size() - point < 3 || token.find('.', point + 1) != std::string::npos)
            continue;
        const double number = std::strtod(token.c_str(), nullptr);
        const double half = 0.5 * std::pow(10.0, -static_cast<double>(token.size() - point - 1));
        if (number == 0.0 || number == 1.0) continue;
        if (std::ranges::any_of(numbers, [&](double n) { return std::abs(std::abs(n) - number) <= half * 1.001; }))
            return true;
    }
    return false;
}

/// The words in which the right choice differs from every other.
std::vector<std::string> words_of_answer(const AskedQuestion& asked) {
    std::vector<std::string> words;
    for (std::size_t i = 0; i < asked.choices.size(); ++i)
        if (i < asked.right.size() && asked.right[i]) words = telling_words(asked.choices[i]);
    for (std::size_t i = 0; i < asked.choices.size(); ++i)
        if (i >= asked.right.size() || !asked.right[i])
            for (const std::string& other : telling_words(asked.choices[i])) std::erase(words, other);
    return words;
}

std::string listed(const std::vector<std::string>& labels) {
    constexpr std::size_t most = 3;
    std::string all;
    for (std::size_t i = 0; i < std::min(most, labels.size()); ++i) all += (i ? ", \"" : "\"") + labels[i] + "\"";
    return labels.size() > most ? filled_with(N_("{1} and {2} more"), all, labels.size() - most) : all;
}

}  // namespace

bool LessonSight::is_on_screen(const Item& item) const {
    const Item* const card = items_.find("lesson");
    if (!item.in_sight || scrolled_out(items_, item)) return false;
    return !card || item.centre().y < card->min.y || item.label.starts_with("lesson");
}

bool LessonSight::in_sight(const Item& item) const {
    return is_on_screen(item) && std::ranges::none_of(items_.all(), [&](const Item& other) {
               return other.label == "lesson/covered" && within(item, other);
           });
}

bool LessonSight::is_told(const Items::DrawnText& text) const {
    const Item* const card = items_.find("lesson");
    const auto other = [&](const Item& item) {
        return item.contains(text.at) &&
               ((item.value && !item.value_is_state) || item.label.starts_with("lesson/choice"));
    };
    return text.in_sight && card && card->contains(text.at) && std::ranges::none_of(items_.all(), other);
}

std::vector<std::string> LessonSight::lights_out_of_sight(const LessonRunner& lessons) const {
    std::vector<std::string> out;
    for (const std::string& light : lessons.lights()) {
        const auto seen = [&](std::string_view label) {
            const Item* const item = items_.find(label);
            // A missing one is reported as such; a question may point at what it covers.
            return !item || is_on_screen(*item);
        };
        if (std::ranges::none_of(joined_labels(light), seen)) out.push_back(light);
    }
    return out;
}

bool LessonSight::points_at_something(const LessonRunner& lessons) const {
    for (const std::string& light : lessons.lights())
        for (const std::string_view label : joined_labels(light))
            if (items_.find(label)) return true;
    return false;
}

LessonSight::Screen LessonSight::screen_of(const LessonRunner& lessons) const {
    Screen screen{lessons.at() + 1, lessons.step().title, {}, {}, {}};
    for (const Item& item : items_.all()) {
        const bool of_text = item.label.starts_with("lesson/number") || item.label.starts_with("lesson/after");
        if (item.label.starts_with("lesson") && !of_text) continue;
        if ((item.value || !item.text.empty()) && !is_of_sentence(item.label) && in_sight(item))
            screen.items.push_back({std::string(item.label), std::string(item.text), item.value});
    }
    for (const Items::DrawnText& text : items_.texts())
        if (is_told(text)) screen.texts.emplace_back(text.text);
    for (const std::string& light : lessons.lights()) {
        Box frame{{1e9f, 1e9f}, {-1e9f, -1e9f}};
        for (const std::string_view label : joined_labels(light))
            if (const Item* const lit = items_.find(label)) {
                frame.min = {std::min(frame.min.x, lit->min.x), std::min(frame.min.y, lit->min.y)};
                frame.max = {std::max(frame.max.x, lit->max.x), std::max(frame.max.y, lit->max.y)};
            }
        Light& found = screen.lights.emplace_back(Light{light, {}});
        for (const Item& item : items_.all())
            if (item.value && within(item, frame) && find(screen, item.label)) found.numbers.emplace_back(item.label);
    }
    return screen;
}

void LessonSight::add(const LessonRunner& lessons) { screens_.push_back(screen_of(lessons)); }

const LessonSight::Seen* LessonSight::find(const Screen& screen, std::string_view label) const {
    const auto found = std::ranges::find(screen.items, label, &Seen::label);
    return found == screen.items.end() ? nullptr : &*found;
}

/// The items with the numbers that the choices compare.
std::string LessonSight::numbers_in(const Screen& screen, const LessonSecrets& answer) const {
    std::vector<std::string> labels;
    for (const Seen& item : screen.items)
        if (item.value && answer.holds(*item.value) && !holds(labels, item.label)) labels.push_back(item.label);
    return listed(labels);
}

/// The texts in which one of them is printed.
std::string LessonSight::texts_in(const Screen& screen, const LessonSecrets& answer) const {
    std::vector<std::string> texts;
    for (const std::string& text : screen.texts)
        if (tells_number(text, answer.numbers) && !holds(texts, text)) texts.push_back(text);
    return listed(texts);
}

/// True if a screen shows all numbers that the answer points at, unchanged.
bool LessonSight::shows_same(const Screen& screen, const Screen& answer, const Light& light) const {
    const auto same = [&](const std::string& label) {
        const Seen *const now = find(answer, label), *const then = find(screen, label);
        return now && then && now->value == then->value;
    };
    return !light.numbers.empty() && std::ranges::all_of(light.numbers, same);
}

/// What the answer points at, the question does not, and a screen shows already.
std::string LessonSight::lights_in(const Screen& screen, const Screen& answer) const {
    std::vector<std::string> labels;
    const Screen& question = screens_.back();
    for (const Light& light : answer.lights) {
        const bool asked_with =
            std::ranges::find(question.lights, light.labels, &Light::labels) != question.lights.end();
        if (!(asked_with && shows_same(question, answer, light)) && shows_same(screen, answer, light))
            labels.push_back(light.labels);
    }
    return listed(labels);
}

std::vector<std::string> LessonSight::told_early(const LessonRunner& lessons, const Snapshot& shown) const {
    std::vector<std::string> found;
    const Question& q = *lessons.step().question;
    if (q.in_sight || screens_.empty()) return found;
    LessonSecrets answer = answer_of(q, lessons.place(shown));
    for (const LiveValue& told : lessons.text().values)
        if (told.number) std::erase(answer.numbers, *told.number);
    const Screen now = screen_of(lessons);
    for (const Screen& screen : screens_) {
        const bool here = &screen == &screens_.back();
        const auto tell = [&](const char* before_guess, const char* in_step, const std::string& what) {
            if (!what.empty()) found.push_back(filled_with(here ? before_guess : in_step, what, screen.step));
        };
        tell(N_("the answer is in sight before the guess: {1}"), N_("the answer is in sight in step {2}: {1}"),
             numbers_in(screen, answer));
        tell(N_("a text gives the answer away before the guess: {1}"),
             N_("a text gives the answer away in step {2}: {1}"), texts_in(screen, answer));
        tell(N_("what the answer points at is in sight before the guess: {1}"),
             N_("what the answer points at is in sight in step {2}: {1}"), lights_in(screen, now));
    }
    const std::vector<std::string> words = words_of_answer(lessons.asked());
    for (const std::string& word : telling_words(lessons.step().title))
        if (holds(words, word)) found.push_back(filled_with(N_("the title gives the answer away: \"{1}\""), word));
    for (const Seen& item : screens_.back().items) {
        const std::vector<std::string> said = telling_words(item.text);
        const auto common = std::ranges::count_if(words, [&](const std::string& w) { return holds(said, w); });
        if (common >= 2 && !item.label.starts_with("lesson"))
            found.push_back(
                filled_with(N_("\"{1}\" gives the answer away before the guess: {2}"), item.label, item.text));
    }
    return found;
}

}  // namespace glassformer::app
