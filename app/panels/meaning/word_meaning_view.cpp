#include <algorithm>
#include <array>
#include <cmath>

#include "app/common/card_scope.h"
#include "app/common/explanation.h"
#include "app/common/predict_first.h"
#include "app/common/said_words.h"
#include "app/language/tr.h"
#include "app/panels/meaning/meaning_views.h"
#include "app/panels/meaning/nearest_uses_view.h"
#include "app/panels/sentence/prompt_numbers.h"
#include "app/session/masks.h"
#include "app/session/nearest_uses.h"
#include "app/ui/scroll_area.h"
#include "core/analysis/embedding_map.h"

namespace glassformer::app {

namespace {

constexpr std::size_t shown_words = 4;
constexpr int word_rows = static_cast<int>(shown_words);
/// Without nearest words, the predictions get all the rows.
constexpr int most_guesses = 2 * shown_words + 1;

/// Sizes for one frame, in pixels, the same for both columns.
struct Rows {
    float head, row, gap;
    float height() const { return 2 * (head + to_float(word_rows) * row) + gap; }
    /// Returns how many rows fit if a list stands alone.
    int alone() const { return static_cast<int>((height() - head) / row); }
};

/// As spacious as the box allows, and never tighter than the letters.
Rows fit_rows(const Ui& ui, float height) {
    const float line = ui.line(FontRole::small);
    Rows rows{std::round(line * 0.94f), std::round(line * 0.875f), ui.px(2)};  // a line already includes some spacing
    const float spare = std::max(0.0f, height - rows.height()) / (2.0f * word_rows + 3.0f);
    rows.row += std::min(spare, ui.px(6));
    rows.head += std::min(spare, ui.px(5));
    rows.gap += std::min(spare, ui.px(8));
    return rows;
}

/// One word with its number, and a bar between them.
struct WordRow {
    std::string_view word;
    float number;
    std::string_view shown;
    ImU32 colour;
    float before = -1;  // the number before the model was changed; below 0: it was not changed
};

void draw_word(const Ui& ui, const Box& row, const WordRow& word, bool link) {
    const Theme& t = *ui.theme;
    const float number_width = draw::text_size(ui, "0.00 ", FontRole::small).x;
    const float word_width = std::min(ui.px(92), (row.width() - number_width) * 0.58f);
    const bool cut =
        draw::text_in(ui, row.left(word_width), word.word, {FontRole::small, link ? t.attention_text : t.text});
    const float half = std::min(ui.px(9), row.height() * 0.5f) / 2, middle = row.middle_y();
    const Box box{{row.min.x + word_width + ui.px(6), middle - half}, {row.max.x - number_width, middle + half}};
    if (box.width() > ui.px(8)) draw::bar(ui, box, word.number, word.colour, t.track);
    if (box.width() > ui.px(8) && word.before >= 0.005f) {  // a mark at 0 would be meaningless
        const float x = std::round(std::lerp(box.min.x, box.max.x, std::min(word.before, 1.0f))), out = ui.px(2);
        ui.list()->AddRectFilled({x - ui.px(1), box.min.y - out}, {x + ui.px(1), box.max.y + out}, t.text_muted);
    }
    draw::text_in(ui, row.right_of(box.max.x), word.shown, {FontRole::small, t.text_muted, draw::Align::right});
    if (cut && draw::hovered(row)) draw::tooltip(ui, word.word);
}

/// The column of one sentence, about its chosen word.
struct Column {
    const Frame& frame;
    int slot;
    Box box;
    Rows rows;

    int token() const { return frame.state.token[slot]; }
    bool masked() const { return is_mask(frame.model(slot), frame.sentence(slot).tokens[token()].id); }
    Box row(float top, int i) const {
        const float y = top + rows.head + to_float(i) * rows.row;
        return box.between_y(y, y + rows.row);
    }
    /// Returns true if the mouse is over it.
    bool heading(float top, std::string_view text) const {
        const Ui& ui = frame.ui;
        const Theme& t = *ui.theme;
        const ImVec2 max{box.max.x, top + rows.head};
        const float letter = draw::text_size(ui, "A ", FontRole::small_bold).x + ui.px(3);
        draw::text_in(ui, {{box.min.x, top}, max}, Frame::letter(slot),
                      {FontRole::small_bold, slot == 0 ? t.sense_a_text : t.sense_b_text});
        draw::text_in(ui, {{box.min.x + letter, top}, max}, text, {FontRole::small, t.text_muted});
        return draw::hovered({{box.min.x, top}, max});
    }
};

void draw_nearest(const Column& column, float top) {
    const Frame& frame = column.frame;
    const Ui& ui = frame.ui;
    if (column.heading(top, tr("nearest words")))
        draw::tooltip(ui,
                      ui.items->format(
                          tr("Nearest words\nWords whose mean residual stream after block %d points in "
                             "nearly the same direction as this word's, seen from the mean of all words. 1.00 is the "
                             "same direction (cosine)."),
                          frame.state.layer));
    const Trace& trace = *frame.trace(column.slot);
    if (hooked_node(frame.state, trace, "hook_resid_post") < 0) return;
    if (frame.snapshot.measured && !frame.snapshot.of_shown(frame.snapshot.measured->of)) return;  // not yet
    const std::size_t width = frame.model().config.d_model;
    const std::span<const float> stream = trace.values(hook(frame.state, "hook_resid_post"));
    const std::span<const float> here = stream.subspan(static_cast<std::size_t>(column.token()) * width, width);
    const int itself = trace.tokens()[column.token()];
    const std::vector<Neighbor> near =
        nearest_words(*frame.snapshot.probe, frame.state.layer + 1, here, itself, shown_words);
    if (near.empty()) {
        const std::string_view why =
            tr("Its vector is the mean of all words, so it has no direction and no nearest words.");
        const Box row = column.row(top, 0);
        draw::label_wrapped(ui, row.min, row.width(), why, {FontRole::small, ui.theme->text_muted},
                            {ui.items->of_card(column.slot, "near none")});
    }
    for (int i = 0; i < int_size(near); ++i) {
        const Neighbor& found = near[i];
        const std::string word = frame.model().token_text(found.id);
        const auto cosine = static_cast<double>(found.cosine);
        const Box row = column.row(top, i);
        draw_word(ui, row, {word, found.cosine, ui.items->format("%.2f", cosine), ui.theme->residual}, false);
        ui.items->add(ui.items->of_card(column.slot, "near %d", i), row, cosine, word);
    }
}

/// Draws one answer.
void draw_guess(const Column& column, const Box& row, int i, int id, const SaidWords& said) {
    const Frame& frame = column.frame;
    const Ui& ui = frame.ui;
    const std::size_t at = id;
    const auto value = static_cast<double>(said.now[at]);
    const std::string text = said_name(frame, id);
    const std::string_view label = ui.items->of_card(column.slot, "guess %d", i);
    if (saying_waits(frame.state, column.slot, column.token())) return draw_waiting(ui, label, row, draw::Align::left);
    const bool link = said.node >= 0;
    const Response response = link_area(ui, label, row, value, text, link);
    if (response.hovered) draw::rounded_box(ui, row.inset(-ui.px(4), 0), ui.theme->hover, 0, 4);
    const float before = said.changed() ? said.before[at] : -1;
    draw_word(ui, row, {text, said.now[at], ui.items->format("%.2f", value), ui.theme->attention_colour(0.6f), before},
              link);
    if (said.changed()) {
        ui.items->addf(row, before, "%s/guess %d before", Frame::letter(column.slot), i);
        if (draw::hovered(row))
            draw::tooltip(ui, ui.items->format(tr("%s %.4f\nBefore you changed the model it was %.4f (the grey mark)."),
                                               text.c_str(), value, before));
    }
    if (link && response.clicked) explain(frame.state, {column.slot, said.cell(id)});
}

void guesses_heading(const Column& column, float top, Guess guess) {
    const Ui& ui = column.frame.ui;
    if (guess == Guess::next) {
        if (column.heading(top, ui.items->format(tr("next %s"), tr(column.frame.model().token_noun.c_str()))))
            draw::tooltip(ui, tr("What comes next\nThe most likely continuations of the text so far. Click one to see "
                                 "where its probability comes from."));
    } else if (guess == Guess::sentence) {
        if (column.heading(top, tr("the sentence is")))
            draw::tooltip(ui,
                          tr("What the model predicts for the whole sentence\nClick one to see where it comes from."));
    } else if (column.masked()) {
        if (column.heading(top, tr("the model predicts")))
            draw::tooltip(ui, tr("What the model predicts\nThe most likely words for the masked position. Click one to "
                                 "see where its probability comes from."));
    } else if (column.frame.sentence(column.slot).masked_probabilities.empty()) {
        if (column.heading(top, tr("the model predicts")))
            draw::tooltip(ui, tr("What the model predicts\nIt sees the word itself here. To mask the word, click ▢ at "
                                 "the corner of its chip."));
    } else if (column.heading(top, tr("masked, it predicts"))) {
        draw::tooltip(ui, tr("Masked, it predicts\nWith ▢ in place of the word, the model predicts it from the words "
                             "around it. To open these numbers, hide the word in the sentence itself."));
    }
}

void draw_guesses(const Column& column, float top, int rows) {
    guesses_heading(column, top, guess_of(column.frame.model()));
    const std::optional<SaidWords> said = said_words(column.frame, column.slot);
    if (!said) return;
    const std::vector<int> best = likeliest(said->now, std::clamp(rows, 1, most_guesses));
    for (int i = 0; i < std::min(rows, int_size(best)); ++i) draw_guess(column, column.row(top, i), i, best[i], *said);
}

/// Draws the textbook methods' answers at a point, from the same pairs.
void draw_textbook_answers(const Column& column, float top, int row) {
    struct Method {
        const char *item, *name;
        Regressor answer;
    };
    static const std::array<Method, 3> methods{{
        {"least squares", N_("least squares"), least_squares},
        {"ridge", N_("ridge"), [](auto xs, auto ys, auto x) { return ridge(ridge_lambda, xs, ys, x); }},
        {"mean", N_("mean"), [](auto, auto, auto) { return 0.0; }},
    }};
    const Frame& frame = column.frame;
    const Ui& ui = frame.ui;
    for (const Method& method : methods) {
        const std::optional<double> said =
            textbook_answer(frame.sentence(column.slot), frame.model().config.d_input, column.token(), method.answer);
        if (!said) return;
        const Box at = column.row(top, row++);
        draw::text_in(ui, at.left_of(at.max.x - ui.px(56)), tr(method.name), {FontRole::small, ui.theme->text_muted});
        const std::string text = precise(*said);
        draw::label(ui, at, text, {FontRole::small, ui.theme->text, draw::Align::right},
                    {ui.items->of_card(column.slot, "%s", method.item), *said});
    }
}

/// Draws the number that the model predicts at the chosen position, and the true one if there is one.
void draw_said_number(const Column& column, float top) {
    const Frame& frame = column.frame;
    const Ui& ui = frame.ui;
    const Trace& trace = *frame.trace(column.slot);
    const int node = trace.model().logits;
    const std::size_t width = trace.shape(node).back();
    const std::string word = frame.word(column.slot, column.token());
    const std::vector<float>& truth = frame.sentence(column.slot).true_values;
    const bool vectors = frame.model(column.slot).config.output == OutputKind::vectors;
    column.heading(top, vectors ? ui.items->format(tr("last vector of %s: first features"), word.c_str())
                                : ui.items->format(tr("prediction at %s"), word.c_str()));
    const bool point =
        textbook_answer(frame.sentence(column.slot), frame.model().config.d_input, column.token(), least_squares)
            .has_value();
    const char* const untold = vectors ? tr("no head predicts from it")
                               : point ? tr("its value is not in the prompt")
                                       : tr("nothing to predict here");
    for (std::size_t i = 0; i < std::min<std::size_t>(width, 3); ++i) {
        const std::size_t cell = static_cast<std::size_t>(column.token()) * width + i;
        const float said = trace.at({node, static_cast<std::int64_t>(cell)});
        const Box row = column.row(top, static_cast<int>(2 * i));
        const std::string_view label = ui.items->of_card(column.slot, "said %zu", i);
        if (click_area(ui, label, row, said).clicked)
            explain(frame.state, {column.slot, {node, static_cast<std::int64_t>(cell)}});
        draw::text_in(ui, row, precise(said), {FontRole::small_bold, ui.theme->attention_text});
        std::optional<double> value;
        if (cell < truth.size() && !std::isnan(truth[cell])) value = truth[cell];
        if (!value && width == 1)  // a prompt that the user typed
            value = value_in_prompt(frame.sentence(column.slot), frame.model().config.d_input, column.token());
        const Box below = column.row(top, static_cast<int>(2 * i) + 1);
        const std::string text = value ? filled(tr("true: {1}"), {precise(*value)}) : std::string(untold);
        draw::label(ui, below, text, {FontRole::small, ui.theme->text_muted},
                    {ui.items->format(value ? "%s/true %zu" : "%s/untold %zu", Frame::letter(column.slot), i), value});
    }
    if (width == 1) draw_textbook_answers(column, top, 2);
}

/// Returns true if a column lists nearest words, which are those after one block.
bool lists_nearest(const Frame& frame, int slot) { return frame.snapshot.probe && frame.snapshot.is_measured(slot); }

void draw_column(const Frame& frame, const Box& box, int slot, const Rows& rows) {
    const Ui& ui = frame.ui;
    const CardScope scope(frame, slot);
    const Column column{frame, slot, box, rows};
    const int token = column.token();
    if (!frame.trace(slot) || token < 0 || token >= int_size(frame.sentence(slot).tokens)) {
        column.heading(box.min.y, tr("no numbers yet"));
        draw::text_wrapped(ui, {box.min.x, box.min.y + rows.head}, box.width(),
                           tr("The model cannot read this sentence. Please change it."),
                           {FontRole::small, ui.theme->text_muted});
        return;
    }
    if (frame.model().config.outputs_numbers()) return draw_said_number(column, box.min.y);
    // The means belong to the parameters on screen: another model, or another step, has different ones.
    if (!lists_nearest(frame, slot)) return draw_guesses(column, box.min.y, rows.alone());
    draw_nearest(column, box.min.y);
    draw_guesses(column, box.min.y + rows.head + to_float(word_rows) * rows.row + rows.gap, word_rows);
}

/// What a card's column is about.
enum class Told { what_is_said, what_comes_next, what_it_means };

Told told(const Frame& frame, int slot) {
    const ModelInfo& model = frame.model(slot);
    if (model.config.output == OutputKind::words && guess_of(model) == Guess::next) return Told::what_comes_next;
    return frame.snapshot.probe && &model == &frame.model(0) ? Told::what_it_means : Told::what_is_said;
}

std::string_view title(const Frame& frame) {
    const ViewState& state = frame.state;
    const bool show_a = frame.trace(0) && is_shown(state, 0), show_b = frame.trace(1) && is_shown(state, 1);
    const Told what = told(frame, show_a || (!show_b && is_shown(state, 0)) ? 0 : 1);
    if (show_a && show_b && told(frame, 1) != what) return tr("What each model predicts");
    if (what == Told::what_is_said) return tr("What the model predicts");
    const bool next = what == Told::what_comes_next;
    if (!show_a && !show_b) return next ? tr("What comes next") : tr("What a word means here");
    const std::string a = frame.word(0, state.token[0]), b = frame.word(1, state.token[1]);
    if (next && show_a && show_b && a != b)
        return frame.ui.items->format(tr("What comes after “%s” and “%s”"), a.c_str(), b.c_str());
    if (next) return frame.ui.items->format(tr("What comes after “%s”"), (show_a ? a : b).c_str());
    if (show_a && show_b && a != b)
        return frame.ui.items->format(tr("What “%s” and “%s” mean here"), a.c_str(), b.c_str());
    return frame.ui.items->format(tr("What “%s” means here"), (show_a ? a : b).c_str());
}

/// Draws the button at the right end of the first line; returns whether the uses are listed. `right`: where the line's
/// room ends.
bool draw_uses_switch(const Frame& frame, float top, float& right) {
    const Ui& ui = frame.ui;
    bool& uses = frame.own<UsesLook>().on;
    const char* const button_text = uses ? tr("words") : tr("uses");
    const float wide = chip_width(ui, button_text, {.font = FontRole::small});
    ImVec2 at{right - wide, top - ui.px(1)};
    const char* const tip = uses ? tr("Words\nThe nearest words, and what the model predicts.")
                                 : tr("Uses\nWhere the sentences of the model's world use the word in the same way, "
                                      "and whether the model is trained on this sentence.");
    if (chip(ui, "meaning/uses", at, ui.line(FontRole::body_bold) + ui.px(2), button_text,
             {.font = FontRole::small, .tooltip = tip}))
        uses = !uses;
    right = right - wide - ui.px(8);
    return uses;
}

}  // namespace

void draw_word_meaning(const Frame& frame, const Box& box) {
    const Ui& ui = frame.ui;
    draw::card(ui, box);
    const float pad = ui.px(16), left = box.min.x + pad;
    const float top = box.min.y + ui.px(7), head = ui.line(FontRole::body_bold);
    float right = box.max.x - pad;
    const bool uses = can_compare_uses(frame.model()) && draw_uses_switch(frame, top, right);
    if (frame.own<UsesLook>().seen.draw(uses, box)) frame.state.more_to_compute = true;
    if (uses) {
        const int token = frame.state.token[frame.state.slot];
        draw::text_in(ui, {{left, top}, {right, top + head}},
                      filled(tr("Uses of “{1}” after block {2}"),
                             {frame.word(frame.state.slot, token), std::to_string(frame.state.layer)}),
                      {FontRole::body_bold});
        return draw_nearest_uses(frame, {{left, top + head + ui.px(4)}, {box.max.x - pad, box.max.y - ui.px(4)}});
    }
    leave_nearest_uses(frame);
    const bool nearest =
        (is_shown(frame.state, 0) && lists_nearest(frame, 0)) || (is_shown(frame.state, 1) && lists_nearest(frame, 1));
    const std::string_view where =
        nearest ? ui.items->format(tr("after block %d"), frame.state.layer) : std::string_view();
    const float where_width = draw::text_size(ui, where, FontRole::small).x;
    draw::text_in(ui, {{left, top}, {right - where_width - ui.px(8), top + head}}, title(frame), {FontRole::body_bold});
    draw::text_in(ui, {{right - where_width, top}, {right, top + head}}, where,
                  {FontRole::small, ui.theme->text_faint});

    const Box body{{left, top + head + ui.px(1)}, {box.max.x - pad, box.max.y - ui.px(4)}};
    const Rows rows = fit_rows(ui, body.height() - ui.px(2));
    const ScrollArea area(ui, "##word meaning", body, rows.height());
    const Box& content = area.content();
    if (!frame.state.compare) return draw_column(frame, content, frame.state.slot, rows);
    const float gap = ui.px(20), half = (content.width() - gap) / 2;
    draw_column(frame, content.left(half), 0, rows);
    draw_column(frame, content.right(half), 1, rows);
}

}  // namespace glassformer::app
