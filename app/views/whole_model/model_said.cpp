#include <algorithm>
#include <cmath>
#include <functional>
#include <numeric>

#include "app/common/hidden_by_quiz.h"
#include "app/common/lens_grid.h"
#include "app/common/predict_first.h"
#include "app/common/said_words.h"
#include "app/common/traced_value.h"
#include "app/language/tr.h"
#include "app/views/whole_model/canvas.h"
#include "app/views/whole_model/model_page.h"

namespace glassformer::app::views::whole_model {

namespace {

constexpr float named_answer = 30;                     // width that an answer needs, in pixels at 100 %
constexpr float least_with_bar = 74, inset = 3;        // minimum width of a line with a bar
constexpr float usual_name = 0.5f, most_name = 0.66f;  // share of that width for the name

/// One line: a name, a bar, and its probability, which a click explains.
struct Line {
    std::string name;
    Cell cell;
    float probability = 0;
    bool first = false, strong = false;
};

/// How the answers over the lanes are drawn: beside bars; alone if their names need the room of the bars; and if even
/// that would cut them, one answer per lane in two alternating rows or, without the height for that, an answer only
/// over every second lane or fewer.
struct Answers {
    int every = 1;   ///< lanes per answer
    float name = 0;  ///< width of the names beside the bars; 0: no bars
    bool in_two_rows = false;
};

/// `name` is the width of the name beside a bar; 0: no bar.
void draw_line(const Canvas& c, const Line& line, const Box& box, std::string_view label, float shown, float name) {
    const Ui& ui = c.ui();
    const Theme& t = c.theme();
    traced_value(c.frame, c.slot, line.cell, label, box);
    const bool bar = name > 0;
    const float text_end = bar ? box.min.x + name : box.max.x;
    const FontRole font = c.font(line.first && line.strong ? FontRole::small_bold : FontRole::small);
    draw::text_in(ui, box.between_x(box.min.x + (bar ? ui.px(inset) : 0), text_end - ui.px(2)), line.name,
                  {font, line.first ? t.text : t.text_muted, bar ? draw::Align::left : draw::Align::centre});
    if (!bar) return;
    const float y = box.middle_y(), h = std::min(ui.px(4.5f), box.height() / 3);
    draw::bar(ui, {{text_end + ui.px(2), y - h}, {box.max.x, y + h}}, line.probability * shown,
              line.strong ? t.accent : mix(t.card, t.accent, 0.5f), t.track);
}

void draw_title(const Canvas& c, const char* title, const char* below) {
    const CanvasLayout& l = c.layout;
    const CanvasSide& side = l.side(false);
    if (side.left - side.labels < 60 * l.room.unit) return;
    const Ui& ui = c.ui();
    const Box box = c.place.of({{side.labels, l.said_top}, {side.left - 4 * l.room.unit, l.said_bottom}});
    const FontRole plain = c.font(FontRole::small);
    if (!c.room_for(plain, l.said_bottom - l.said_top) || !c.sees(box)) return;
    const float y = box.min.y + (l.said_bottom - l.said_top) * 0.04f * c.place.sy, line = ui.line(plain);
    draw::text_in(ui, box.between_y(y, y + line), title, {c.font(FontRole::small_bold), c.theme().text_muted});
    if (y + 2.2f * line <= box.max.y)
        draw::text_in(ui, box.between_y(y + 1.2f * line, y + 2.2f * line), below, {plain, c.theme().text_muted});
}

/// The box above a lane for the model's answer, as wide as `lanes` lanes.
Box answer_box(const Canvas& c, int word, int lanes) {
    const CanvasLayout& l = c.layout;
    const CanvasSide& side = l.side(false);
    const Box lane = around_lane(c, side, word, std::min(side.pitch() * 0.46f * to_float(lanes), 58 * l.room.unit));
    const float height = l.said_bottom - l.said_top;
    return c.place.of(lane.between_y(l.said_top + height * 0.04f, l.said_bottom - height * 0.05f));
}

float least_line(const Canvas& c) { return c.ui().line(c.font(FontRole::small)) + c.ui().px(1); }
int fitting_lines(const Canvas& c, const Box& box) {
    return static_cast<int>(box.height() / (least_line(c) - c.ui().px(2)));
}

/// Layout of the answers over the words from `first` to `end`: whole names take precedence over bars, and over the
/// second and third answer.
Answers answers_over(const Canvas& c, int first, int end) {
    const Ui& ui = c.ui();
    Answers answers{named_every(c, c.layout.side(false), named_answer), 0, false};
    const Box box = answer_box(c, first, answers.every);
    const int lines = fitting_lines(c, box);
    float widest = 0, widest_first = 0;
    for (int word = first; word < end; ++word) {
        if (!is_named(word, answers.every, c.token()) || c.hides_said(word)) continue;
        const std::vector<LensWord>* top = c.reading.said(word);
        for (int i = 0; top && i < std::min(lines, int_size(*top)); ++i) {
            const std::string name = vocabulary_word(c.frame, (*top)[i].id);
            const float width = draw::text_size(ui, name, c.font(FontRole::small_bold)).x;
            widest = std::max(widest, width);
            if (i == 0) widest_first = std::max(widest_first, width);
        }
    }
    const float most = box.width() * most_name, air = ui.px(inset + 3);
    if (widest_first + air <= most && box.width() >= ui.px(least_with_bar))
        answers.name = std::round(std::clamp(widest + air, box.width() * usual_name, most));
    const float needed = widest_first + ui.px(2);
    const auto width = [&](int lanes) { return answer_box(c, first, lanes).width(); };
    const bool cut = answers.name == 0 && needed > box.width();
    answers.in_two_rows = cut && answers.every == 1 && lines > 1 && needed <= width(2);
    // An answer uses the room of lanes without one, up to the widest box.
    while (cut && !answers.in_two_rows && width(answers.every) < needed &&
           width(answers.every + 1) > width(answers.every))
        ++answers.every;
    return answers;
}

void draw_words_said(const Canvas& c, int word, const Answers& answers, float shown) {
    const Ui& ui = c.ui();
    Box box = answer_box(c, word, answers.in_two_rows ? 2 : answers.every);
    const float least = least_line(c);
    if (answers.in_two_rows) {
        const float row = std::min(box.height() / 2, least * 1.2f), top = box.min.y + (word % 2 ? row : 0);
        box.min.y = top, box.max.y = top + row;
    }
    const int fitting = answers.in_two_rows ? 1 : fitting_lines(c, box);
    if (!c.active || !c.sees(box) || fitting < 1 || box.width() < ui.px(26) || shown <= 0) return;
    const auto item = [&](int i) { return ui.items->format("whole/%s/said %d %d", Frame::letter(c.slot), word, i); };
    if (c.hides_said(word)) return draw_waiting(ui, item(0), box.top(least));
    const std::vector<LensWord>* top = c.reading.said(word);
    if (!top) return;
    const int count = std::min({fitting, CanvasReading::words_said, int_size(*top)});
    const float step = std::min(box.height() / to_float(count), least * 1.35f);
    for (int i = 0; i < count; ++i) {
        const LensWord& said = (*top)[i];
        const Line line{std::string(vocabulary_word(c.frame, said.id)), probability_cell(c.trace, word, said.id),
                        said.probability, i == 0, word == c.token()};
        const float y = box.min.y + step * to_float(i);
        draw_line(c, line, box.between_y(y, y + step), item(i), shown, answers.name);
    }
}

void draw_number_said(const Canvas& c, int word, int every) {
    const Ui& ui = c.ui();
    const Box box = answer_box(c, word, every);
    const Shape shape = c.trace.shape(c.trace.model().logits);
    const std::int64_t width = shape.back();
    const float line = ui.line(c.font(FontRole::small)) + ui.px(1);
    if (!c.active || !c.sees(box) || box.width() < ui.px(28) || box.height() < line) return;
    const std::vector<float>& truth = c.frame.sentence(c.slot).true_values;
    float y = box.min.y;
    for (std::int64_t i = 0; i < width && y + line <= box.max.y + 1; ++i, y += line) {
        const Cell cell{c.trace.model().logits, word * width + i};
        const std::string_view label =
            ui.items->format("whole/%s/said %d %d", Frame::letter(c.slot), word, static_cast<int>(i));
        traced_value(c.frame, c.slot, cell, label, box.between_y(y, y + line));
        if (is_hidden_by_quiz(c.frame, c.slot, cell)) continue;
        const std::size_t at = cell.offset;
        const bool asked = at < truth.size() && std::isfinite(truth[at]);
        draw::text_in(ui, box.between_y(y, y + line), draw::signed_number(c.trace.at(cell)),
                      {c.font(asked ? FontRole::small_bold : FontRole::small),
                       asked ? c.theme().text : c.theme().text_faint, draw::Align::centre});
        if (!asked || y + 2 * line > box.max.y + 1) continue;
        y += line;
        const std::string told = draw::signed_number(truth[at]);
        draw::text_in(ui, box.between_y(y, y + line), ui.items->format("(%s)", told.c_str()),
                      {c.font(FontRole::small), c.theme().good_text, draw::Align::centre});
    }
}

/// The classes from most to least probable, so that the prediction comes first if there is room for only one. In their
/// own order as long as they have to be guessed.
std::vector<int> classes_in_order(const Canvas& c) {
    std::vector<int> order(static_cast<std::size_t>(c.trace.shape(c.trace.model().probabilities).back()));
    std::iota(order.begin(), order.end(), 0);
    const auto cell = [&](int i) { return Cell{c.trace.model().probabilities, i}; };
    if (std::ranges::any_of(order, [&](int i) { return is_hidden_by_quiz(c.frame, c.slot, cell(i)); })) return order;
    std::ranges::stable_sort(order, std::greater{}, [&](int i) { return c.trace.at(cell(i)); });
    return order;
}

/// Draws one answer for the whole sentence.
void draw_class_said(const Canvas& c, float shown) {
    const Ui& ui = c.ui();
    const CanvasLayout& l = c.layout;
    const CanvasSide& side = l.side(false);
    const float middle = (side.left + side.right) / 2, half = std::min(120 * l.room.unit, (side.right - side.left) / 2);
    const Box box = c.place.of({{middle - half, l.said_top + 2 * l.room.unit}, {middle + half, l.said_bottom}});
    const float line = ui.line(c.font(FontRole::small)) + ui.px(5);
    if (!c.active || !c.sees(box) || shown <= 0) return;
    float y = box.min.y;
    for (const int i : classes_in_order(c)) {
        if (y + line > box.max.y + 1) break;
        const Cell cell{c.trace.model().probabilities, i};
        const std::string_view label = ui.items->format("whole/%s/said 0 %d", Frame::letter(c.slot), i);
        if (is_hidden_by_quiz(c.frame, c.slot, cell)) {
            draw_waiting(ui, label, box.between_y(y, y + line));
        } else {
            const float probability = c.trace.at(cell);
            draw_line(c, {c.model().class_name(i), cell, probability, probability > 0.5f, true},
                      box.between_y(y, y + line), label, shown, box.width() / 2);
        }
        y += line;
    }
}

}  // namespace

const LensWord* lens_word(const Canvas& c, int block, int word, const Box& box, draw::Align waiting) {
    const std::string_view item = c.ui().items->format("whole/%s/lens %d %d", Frame::letter(c.slot), block, word);
    if (c.hides_said(word)) return draw_waiting(c.ui(), item, box, waiting), nullptr;
    const LensWord* best = c.reading.lens().best(block + 1, word);
    if (best) c.ui().items->add(item, box, best->probability, vocabulary_word(c.frame, best->id));
    if (!best) c.frame.state.more_to_compute = true;
    return best;
}

void draw_said(const Canvas& c, float shown) {
    const TransformerConfig& config = c.trace.model().config;
    const CanvasSide& side = c.layout.side(false);
    if (config.output == OutputKind::classes) {
        draw_title(c, tr("prediction"), tr("of the sentence"));
        return draw_class_said(c, shown);
    }
    const bool numbers = config.outputs_numbers();
    if (config.output == OutputKind::vectors)
        draw_title(c, tr("last vector"), tr("(no head)"));
    else if (numbers)
        draw_title(c, tr("prediction"), tr("(the truth)"));
    else if (guess_of(c.model()) == Guess::masked)
        draw_title(c, tr("prediction"), tr("at each position"));
    else
        draw_title(c, tr("prediction"), tr("what comes next"));
    const auto [first, end] = side.words_between(c.place.under(c.view.min).x, c.place.under(c.view.max).x);
    if (numbers) {
        const int every = named_every(c, side, named_answer);
        for (int word = first; word < end && shown > 0; ++word)
            if (is_named(word, every, c.token())) draw_number_said(c, word, every);
        return;
    }
    const Answers answers = answers_over(c, first, end);
    for (int word = first; word < end; ++word)
        if (is_named(word, answers.every, c.token())) draw_words_said(c, word, answers, shown);
}

void draw_block_said(const Canvas& c, const Box& on_page) {
    const Ui& ui = c.ui();
    if (on_page.height() < 40 * c.unit) return;
    const Theme& t = c.theme();
    const Box box = c.place.of(on_page);
    if (!c.sees(box)) return;
    draw::rounded_box(ui, box, t.card, t.card_border, 10);
    const FontRole plain = c.font(FontRole::small), bold = c.font(FontRole::small_bold),
                   head = c.font(FontRole::body_bold);
    if (!c.room_for(head, 22 * c.unit)) return;
    const float pad = ui.px(12), line = ui.line(plain), top = box.min.y + ui.px(5) + ui.line(head) + ui.px(6);
    draw::text_in(ui, {{box.min.x + pad, box.min.y + ui.px(5)}, {box.max.x - pad, top}},
                  tr("prediction at this point (logit lens)"), {head, t.text});
    const int words = c.layout.side(false).words, layer = c.frame.state.layer + 1;
    const float left = box.min.x + pad, step = (box.width() - 2 * pad) / to_float(std::max(1, words));
    // The predicted word gets half of a card, or all of it if a word would be cut.
    const float in = ui.px(6), within = step - ui.px(6) - 2 * in, bar = ui.px(3) + ui.px(14);
    float widest = within / 2;
    for (int word = 0; word < words; ++word)
        if (const LensWord* best = c.hides_said(word) ? nullptr : c.reading.lens().best(layer, word))
            widest = std::max(widest, draw::text_size(ui, vocabulary_word(c.frame, best->id), plain).x + ui.px(2));
    const bool bars = widest + bar <= within;
    for (int word = 0; word < words; ++word) {
        const float x = left + step * to_float(word);
        const Box card{{x, top}, {x + step - ui.px(6), std::min(box.max.y - ui.px(8), top + 2 * line + ui.px(10))}};
        if (card.height() < 2 * line || card.width() < ui.px(36)) continue;
        const bool chosen = word == c.token();
        draw::rounded_box(ui, card, chosen ? t.selection_tint : t.background, chosen ? t.selection : 0, 6, 2);
        const float y = card.middle_y();
        draw::text_in(ui, {{card.min.x + in, y - line}, {card.max.x - in, y}}, c.word(false, word), {bold, t.text});
        const Box below{{card.min.x + in, y}, {card.max.x - in, y + line}};
        const LensWord* best = lens_word(c, layer - 1, word, below, draw::Align::left);
        if (!best) continue;
        const std::string said(vocabulary_word(c.frame, best->id));
        const float text_end = bars ? below.min.x + widest : below.max.x;
        draw::text_in(ui, below.left_of(text_end), said, {plain, t.text_muted});
        if (bars)
            draw::bar(ui, {{text_end + ui.px(3), y + line * 0.3f}, {below.max.x, y + line * 0.7f}}, best->probability,
                      chosen ? t.accent : mix(t.card, t.accent, 0.5f), t.track);
        if (draw::hovered(card))
            draw::tooltip(ui, ui.items->format(tr("“%s” after block %d: %s %.1f %%"), c.word(false, word).c_str(),
                                               layer - 1, said.c_str(), 100 * static_cast<double>(best->probability)));
    }
}

}  // namespace glassformer::app::views::whole_model
