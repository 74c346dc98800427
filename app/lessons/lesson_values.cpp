#include "app/lessons/lesson_values.h"

#include <algorithm>

#include "core/base/filled.h"
#include "core/base/join.h"
#include "core/base/mark_text.h"

namespace glassformer::app {

namespace {

void append(ShownText& to, const LiveText& text, const LivePlace& place) {
    if (!to.text.pieces.empty()) to.text.pieces.push_back({"\n", {}});
    to.text.pieces.insert(to.text.pieces.end(), text.pieces.begin(), text.pieces.end());
    for (const LiveText::Piece& piece : text.pieces)
        if (piece.live) to.values.push_back(evaluate(*piece.live, place));
}

std::size_t length_of(const LiveText& text) {
    constexpr std::size_t of_number = 4, of_picture = 1000;  // larger than most texts
    std::size_t length = 0;
    for (const LiveText::Piece& piece : text.pieces)
        length += piece.picture ? of_picture : piece.live ? of_number : piece.text.size();
    return length;
}

void add_paragraph(LiveText& all, const LiveText& part) {
    if (!all.pieces.empty()) all.pieces.push_back({"\n", {}});
    all.pieces.insert(all.pieces.end(), part.pieces.begin(), part.pieces.end());
}

/// Whether the guess leads to other numbers than those on screen before it.
bool looks_elsewhere(const Scene& before, const Scene& after) {
    const auto describe_all = [](const Scene& s) {
        std::string all;
        for (const SceneChange& change : s.what_if) all += describe(change.change) + change.word + ';';
        return all;
    };
    return before.sentences != after.sentences || before.step != after.step || before.model != after.model ||
           before.beside.what != after.beside.what || before.beside.step != after.beside.step ||
           describe_all(before) != describe_all(after);
}

}  // namespace

ShownText shown_text(const LessonText& text, const LivePlace& place) {
    ShownText shown;
    bool held = false;  // whether a condition of the current group held
    for (const Paragraph& p : text) {
        const bool holds_now = p.when && holds(*p.when, place).value_or(false);
        if (!p.when && !p.otherwise) held = false;
        if (p.when ? holds_now : !p.otherwise || !held) append(shown, p.text, place);
        held = held || holds_now;
    }
    return shown;
}

std::string plain_text(const ShownText& shown) {
    std::string all;
    std::size_t k = 0;
    for (const LiveText::Piece& piece : shown.text.pieces) all += piece.live ? shown.values[k++].shown : piece.text;
    return all;
}

void open_what_is_there(ShownText& shown, const LivePlace& place) {
    std::size_t k = 0;
    for (const LiveText::Piece& piece : shown.text.pieces) {
        if (!piece.live) continue;
        LiveValue& value = shown.values[k++];
        const LiveValue now = evaluate(*piece.live, place);
        value.cell = now.number == value.number ? now.cell : std::nullopt;
    }
}

LiveText longest_text(const LessonText& text) {
    LiveText all;
    const LiveText* longest = nullptr;
    for (const Paragraph& p : text) {
        if (!p.when && !p.otherwise) {
            if (longest) add_paragraph(all, *std::exchange(longest, nullptr));
            add_paragraph(all, p.text);
        } else if (!longest || length_of(p.text) > length_of(*longest)) {
            longest = &p.text;
        }
    }
    if (longest) add_paragraph(all, *longest);
    return all;
}

LiveText sure_text(const LessonText& text) {
    LiveText all;
    for (const Paragraph& p : text)
        if (!p.when && !p.otherwise) add_paragraph(all, p.text);
    return all;
}

std::vector<std::string> choices_of(const Question& q, const LivePlace& place) {
    std::vector<std::string> choices;
    for (const Choice& choice : q.choices) choices.push_back(evaluate(choice.text, place));
    if (!q.of) return choices;
    const LiveValue right = evaluate(*q.of, place);
    choices = distractors(*q.of, place, static_cast<std::size_t>(q.count - 1));
    if (right.known) choices.push_back(right.shown);
    // In an order that does not reveal the answer: alphabetical, or by size.
    std::ranges::sort(choices, [](const std::string& a, const std::string& b) {
        const double x = printed_number(a).value_or(0), y = printed_number(b).value_or(0);
        return x != y ? x < y : a < b;
    });
    return choices;
}

std::vector<bool> right_ones(const Question& q, const std::vector<std::string>& choices, const LivePlace& place) {
    std::vector<bool> right;
    const std::string answer = q.of ? evaluate(*q.of, place).shown : evaluate(q.answer, place);
    for (std::size_t i = 0; i < choices.size(); ++i) {
        const Condition* when = i < q.choices.size() && q.choices[i].when ? &*q.choices[i].when : nullptr;
        right.push_back(when ? holds(*when, place).value_or(false) : !answer.empty() && choices[i] == answer);
    }
    return right;
}

std::string why_not_one(const Question& q, const AskedQuestion& asked, const LivePlace& place) {
    const auto count = std::ranges::count(asked.right, true);
    if (count == 1 && asked.choices.size() == 1)
        return N_("there is nothing to choose from: no wrong choices can be made up here; write them as choice:");
    if (count == 1) return {};
    std::string why = count == 0 ? N_("no choice is right") : filled_with(N_("{1} choices are right"), count);
    if (q.of || !q.answer.empty())
        return filled_with(N_("{1}; the answer is \"{2}\""), why,
                           q.of ? evaluate(*q.of, place).shown : evaluate(q.answer, place));
    for (const Choice& choice : q.choices)
        if (choice.when) {
            const std::string here = join(choice.when->all, " ", [&](const auto& c) { return evaluate(c, place); });
            const bool so = holds(*choice.when, place).value_or(false);
            why = filled_with(so ? N_("{1}; \"{2}\" is when {3}, and here {4} holds")
                                 : N_("{1}; \"{2}\" is when {3}, and here {4} does not hold"),
                              why, evaluate(choice.text, place), choice.when->source, here);
        }
    return why;
}

ShownText why_wrong(const Question& q, const AskedQuestion& asked, int guess, const LivePlace& place) {
    ShownText shown;
    const std::size_t taken = guess;
    if (guess < 0 || taken >= asked.right.size() || asked.right[taken]) return shown;
    append(shown, q.of ? q.because : q.choices[taken].because, place);
    return shown;
}

LiveText longest_because(const Question& q) {
    const LiveText* longest = &q.because;
    for (const Choice& choice : q.choices)
        if (length_of(choice.because) > length_of(*longest)) longest = &choice.because;
    return *longest;
}

LessonSecrets secrets_of(const LessonStep& step, const LivePlace& place) {
    LessonSecrets secrets;
    for (const Expression& e : step.scene.keeps) keep_back(e, place, secrets);
    if (!step.question || step.question->in_sight || looks_elsewhere(step.scene, step.question->scene)) return secrets;
    const LessonSecrets answer = answer_of(*step.question, place);
    secrets.rows.insert(secrets.rows.end(), answer.rows.begin(), answer.rows.end());
    secrets.said.insert(secrets.said.end(), answer.said.begin(), answer.said.end());
    secrets.numbers.insert(secrets.numbers.end(), answer.numbers.begin(), answer.numbers.end());
    for (const LiveValue& told : shown_text(step.text, place).values)
        if (told.number) std::erase(secrets.numbers, *told.number);
    return secrets;
}

LessonSecrets answer_of(const Question& q, const LivePlace& place) {
    LessonSecrets secrets;
    // Once the model is changed, the value from before is not the answer.
    const auto keep_back_all = [&](const LiveText& text) {
        for (const LiveText::Piece& piece : text.pieces)
            if (piece.live && !(piece.live->unaltered && !place.snapshot.what_if.empty()))
                keep_back(*piece.live, place, secrets);
    };
    keep_back_all(q.answer);
    if (q.of) keep_back(*q.of, place, secrets);
    for (const Choice& choice : q.choices)
        if (choice.when)
            for (const Condition::Comparison& c : choice.when->all) {
                keep_back_all(c.left);
                keep_back_all(c.right);
            }
    return secrets;
}

}  // namespace glassformer::app
