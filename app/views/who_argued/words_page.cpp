#include "app/views/who_argued/words_page.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <utility>

#include "app/common/answer_gradient.h"
#include "app/common/colour_legend.h"
#include "app/common/explanation.h"
#include "app/common/heat_map.h"
#include "app/common/linked_cards.h"
#include "app/language/sentences.h"
#include "app/language/tr.h"
#include "core/base/number_text.h"

namespace glassformer::app::views::who_argued {

namespace {

// Pixels at 100 %.
constexpr float cell_least = 32, cell_most = 64, cell_height = 22, row_gap = 7, longest_label = 72;
constexpr float part_gap = 14;            // between the source sentence and its translation
constexpr std::size_t counted_words = 3;  // words of each method that are compared

/// What the page asks the worker for.
struct WordPartsLook {
    AskedOfSentences wanted, sent;  // in this frame; as last sent to the worker
    /// Whose answers `sent` are: their words and positions mean something else in another sentence or model.
    struct Of {
        std::string text;
        const ModelInfo* model = nullptr;
        bool operator==(const Of&) const = default;
    };
    std::array<Of, 2> of;
};

const WordPartsShown* shown_of(const Frame& frame, int slot, const AskedWordParts& asked) {
    const auto& shown = frame.snapshot.word_parts[slot];
    const bool current = shown && shown->of.lock() == frame.sentence(slot).trace && shown->asked == asked;
    return current ? shown.get() : nullptr;
}

/// The word of a column; see WordParts.
std::string column_word(const Frame& frame, int slot, int column) {
    const int source = int_size(frame.sentence(slot).source);
    return column < source ? frame.source_word(slot, column) : frame.word(slot, column - source);
}

/// A method: its numbers, and how it is described.
struct Method {
    const char *key, *name, *brief, *meaning;
    const std::vector<double> WordParts::*values;
};
constexpr std::array methods = {
    Method{"removed", N_("leave one out: removed"), N_("removed"),
           N_("Leave one out: the word is removed\nThe answer of the sentence, minus the answer of the sentence "
              "without this word. The words after it move up one position."),
           &WordParts::removed},
    Method{"hidden", N_("leave one out: masked"), N_("hidden"),
           N_("Leave one out: the word is masked\nThe answer of the sentence, minus the answer with the mask token in "
              "this word's place."),
           &WordParts::hidden},
    Method{"gradient", N_("gradient × input"), N_("gradient"),
           N_("Gradient × input\nHow steeply the answer f changes as the word's token embedding e grows: Σ e · ∂f/∂e "
              "over its features. It looks at the slope at this one point alone."),
           &WordParts::gradient},
    Method{"integrated", N_("integrated gradients"), N_("integrated"),
           N_("Integrated gradients\nThe same slopes, averaged on the way from token embeddings of 0 to those of the "
              "sentence: Σ e · ∫ ∂f/∂e. Positions stay. They add up to the change of the answer on that way."),
           &WordParts::integrated},
    Method{
        "rollout", N_("attention rollout"), N_("rollout"),
        N_("Attention rollout\nThe share of each word in the stream here, if attention alone carried it: the product "
           "over the blocks of ½ · (mean of the heads) + ½ · I. It does not know which answer is asked about, and "
           "has no sign."),
        &WordParts::rollout},
};

/// Draws one sentence's table; lives for one call.
class Table {
public:
    Table(const Frame& frame, const Box& box, float first_column, int slot, const AskedAnswer& answer)
        : frame_(frame),
          ui_(frame.ui),
          box_(box),
          first_column_(first_column),
          slot_(slot),
          answer_(answer),
          shown_(shown_of(frame, slot, answer.asked)) {}
    float draw();

private:
    std::string_view label(const char* what) const { return ui_.items->of_card(slot_, "part %s", what); }
    Box next_line() { return box_.cut_top(ui_.line(FontRole::small), ui_.px(3)); }
    void say(std::string_view text, const char* item = "");
    void head();
    void run_on();
    void words();
    void row(const Method& method);
    void cell(const Method& method, const Box& at, int word, double value, double range);
    std::string written(double value, bool shares, double range, float width) const;
    std::string tip(const Method& method, int word, double value) const;
    std::string_view note(const Method& method) const;
    void agreement();
    void everywhere();

    // Columns are words: in a translation, those of the source come first.
    int source() const { return int_size(frame_.sentence(slot_).source); }
    int count() const { return source() + int_size(frame_.sentence(slot_).tokens); }
    bool lit(int column) const { return column >= source() && word_is_lit(frame_.state, slot_, column - source()); }
    float left_of(int column) const {
        return first_column_ + pitch_ * to_float(column) + (source() > 0 && column >= source() ? ui_.px(part_gap) : 0);
    }
    const WordParts& found() const { return shown_->found; }

    const Frame& frame_;
    const Ui& ui_;
    Box box_;  // what is left of the box
    float first_column_;
    int slot_;
    const AskedAnswer& answer_;
    const WordPartsShown* shown_;
    float pitch_ = 0;
};

void Table::say(std::string_view text, const char* item) {
    const Box at = box_;
    const float height =
        draw::text_wrapped(ui_, box_.min, box_.width(), text, {FontRole::small, ui_.theme->text_muted});
    box_.cut_top(height, ui_.px(row_gap));
    if (*item) ui_.items->add(label(item), at.top(height), std::nullopt, text);
}

/// Draws the answer, and the progress of the work.
void Table::head() {
    const Box line = next_line();
    if (!shown_ || std::isnan(found().answer))
        return void(
            draw::label(ui_, line, tr("computing …"), {FontRole::small, ui_.theme->text_muted}, {label("wait")}));
    const AnswerLoss loss = answer_.asked.loss;
    const bool of_all = loss == AnswerLoss::of_next_words || frame_.model(slot_).config.output == OutputKind::classes;
    const std::string number = loss != AnswerLoss::none          ? typographic(significant(found().answer, 3))
                               : std::abs(found().answer) < 0.01 ? precise(found().answer)
                                                                 : draw::signed_number(found().answer);
    const std::string_view text =
        ui_.items->format(of_all ? "%s: %s" : tr("%s here: %s"), answer_.name.c_str(), number.c_str());
    const std::string_view brief =
        ui_.items->format(loss == AnswerLoss::none ? "f = %s" : "−ln P = %s", number.c_str());
    const std::string_view fitting = draw::first_fitting(ui_, line.width(), {text, brief}, FontRole::small_bold);
    draw::text_in(ui_, line, fitting, {FontRole::small_bold});
    ui_.items->add(label("answer"), line, found().answer, text);
    if (fitting != text && draw::hovered(line)) draw::tip(ui_, line, text);
    const float legend = signed_legend_width(ui_);
    if (line.width() > draw::text_size(ui_, text, FontRole::small_bold).x + legend + ui_.px(12))
        draw_signed_legend(ui_, line.right(legend), label("legend"),
                           tr("Full colour: the largest number of each row. Red raises the answer, blue lowers it."));
    run_on();
}

/// For a method that takes a while: draws its progress, and a button that stops it.
void Table::run_on() {
    if (shown_->complete && !shown_->stopped) return;
    Box line = box_.cut_top(ui_.px(24), ui_.px(3));
    ImVec2 at{line.max.x - ui_.px(70), line.min.y};
    if (chip(ui_, label(shown_->stopped ? "go on" : "stop"), at, ui_.px(22), shown_->stopped ? tr("Go on") : tr("Stop"),
             {.tone = Tone::quiet, .font = FontRole::small}))
        frame_.send(command::AskWordParts{frame_.own<WordPartsLook>().sent, shown_->stopped});
    line = line.left_of(line.max.x - ui_.px(78));
    const std::string_view text = ui_.items->format(tr("run %d of %d"), shown_->done, shown_->total);
    draw::text_in(ui_, line, text, {FontRole::small, ui_.theme->text_muted});
    ui_.items->add(label("progress"), line, item_state(shown_->done), text);
    const Box bar = line.right_of(line.min.x + draw::text_size(ui_, text, FontRole::small).x + ui_.px(8));
    const float share = to_float(shown_->done) / to_float(std::max(1, shown_->total)), middle = bar.middle_y();
    draw::bar(ui_, bar.between_y(middle - ui_.px(2), middle + ui_.px(2)), share, ui_.theme->accent, ui_.theme->track);
}

void Table::words() {
    const ColumnLabels labels{pitch_, ui_.px(longest_label)};
    float widest = 0;
    for (int i = 0; i < count(); ++i)
        widest = std::max(widest, draw::text_size(ui_, column_word(frame_, slot_, i), FontRole::small_bold).x);
    const Box line = box_.cut_top(labels.height(ui_, widest), ui_.px(2));
    for (int i = 0; i < count(); ++i) {
        const bool chosen = i - source() == frame_.state.token[slot_];
        labels.draw(ui_, {left_of(i) + pitch_ / 2, line.max.y}, column_word(frame_, slot_, i),
                    {chosen ? FontRole::small_bold : FontRole::small,
                     chosen || lit(i) ? ui_.theme->text : ui_.theme->text_muted});
    }
}

/// The text after the name of a row.
std::string_view Table::note(const Method& method) const {
    if (method.values == &WordParts::integrated && found().steps > 0)
        return ui_.items->format(tr("sum %s of %s · %d gradients"), draw::signed_number(found().sum).c_str(),
                                 draw::signed_number(found().answer - found().baseline).c_str(), found().steps);
    if (method.values == &WordParts::rollout && found().rollout.empty() && !shown_->no_rollout.empty())
        return ui_.items->format("%s", tr_sentence(shown_->no_rollout).c_str());
    return {};
}

std::string Table::tip(const Method& method, int word, double value) const {
    const std::string name = column_word(frame_, slot_, word), number = draw::signed_number(value, 4);
    const auto precise = [](double x) { return draw::signed_number(x, 4); };
    const double f = found().answer;
    if (method.values == &WordParts::removed)
        return filled(tr("“{1}” removed  {2}\nf = {3} with this word, {4} without it: {3} − ({4}) = {2}"),
                      {name, number, precise(f), precise(f - value)});
    if (method.values == &WordParts::hidden)
        return filled(
            tr("“{1}” masked  {2}\nf = {3} with this word, {4} with the mask in its place: {3} − ({4}) = {2}"),
            {name, number, precise(f), precise(f - value)});
    const std::string features = std::to_string(frame_.model(slot_).config.d_model);
    if (method.values == &WordParts::gradient)
        return filled(
            tr("“{1}” gradient × input  {2}\nΣ e · ∂f/∂e over the {3} features of its token embedding e, where "
               "f = {4}"),
            {name, number, features, precise(f)});
    if (method.values == &WordParts::integrated)
        return filled(
            tr("“{1}” integrated gradients  {2}\nΣ e · ∫ ∂f/∂e over the {3} features of its token embedding e, "
               "on the way from f = {4} (embeddings of 0) to f = {5}. All words add up to {6}; {7} is left "
               "over after {8} gradients."),
            {name, number, features, precise(found().baseline), precise(f), precise(found().sum),
             precise(found().rest()), std::to_string(found().steps)});
    return filled(
        tr("“{1}” attention rollout  {2}\nIts share of the stream where the answer is read; all shares add up "
           "to 1."),
        {name, with_decimals(value, 4)});
}

/// With as many decimals as the size of the row's values calls for and the cell has room for. Empty if so few fit that
/// the whole row would be zeros.
std::string Table::written(double value, bool shares, double range, float width) const {
    if (std::isnan(value)) return shown_->complete ? "–" : "…";
    const int magnitude = static_cast<int>(std::floor(std::log10(std::max(range, 1e-9))));
    const int most = magnitude >= 0 ? std::max(0, 2 - magnitude) : 1 - magnitude;
    for (int decimals = shares ? 2 : most; decimals >= std::max(0, shares ? 0 : -magnitude); --decimals) {
        std::string text = shares ? with_decimals(value, decimals) : draw::signed_number(value, decimals);
        if (draw::text_size(ui_, text, FontRole::small).x <= width) return text;
    }
    return {};
}

void Table::cell(const Method& method, const Box& at, int word, double value, double range) {
    const bool shares = method.values == &WordParts::rollout, none = std::isnan(value);
    const ImU32 fill = none     ? ui_.theme->card
                       : shares ? ui_.theme->attention_colour(to_float(value))
                                : ui_.theme->signed_colour(to_float(value), to_float(range));
    draw::rounded_box(ui_, at, fill, none ? ui_.theme->control_border : 0, 3);
    const ImU32 ink = none ? ui_.theme->text_muted : Theme::text_on(fill);
    const std::string text = written(value, shares, range, at.width());
    draw::text_in(ui_, at, text, {FontRole::small, ink, draw::Align::centre});
    const std::string_view item = ui_.items->of_card(slot_, "part %s %d", method.key, word);
    ui_.items->add(item, at, none ? ItemValue() : ItemValue(value), text);
    if (lit(word)) draw::rounded_box(ui_, at, 0, ui_.theme->selection, 3, 1.5f);
    if (!draw::hovered(at)) return;
    if (word >= source()) point_at_word(frame_, slot_, word - source());
    if (!none)
        draw::tooltip(ui_, at, tip(method, word, value));
    else if (shown_->complete)
        draw::tooltip(
            ui_, at,
            method.values == &WordParts::removed
                ? tr("No number\nThe answer is read at this word, or without it no word is left to read or to "
                     "predict, so it cannot be removed.")
                : tr("No number\nThis word is the mask already, or the work was stopped before it."));
}

void Table::row(const Method& method) {
    const std::vector<double>& values = found().*method.values;
    if (values.empty() && note(method).empty()) return;
    double range = 0;
    for (const double value : values)
        if (!std::isnan(value)) range = std::max(range, std::abs(value));
    std::string whole(note(method));
    // Colours alone do not show how small the values are.
    if (range > 0 && written(range, method.values == &WordParts::rollout, range, pitch_ - ui_.px(2)).empty())
        whole += (whole.empty() ? "" : " · ") + filled(tr("largest: {1}"), {typographic(significant(range, 2))});
    const Box title = next_line();
    const float width = draw::text_size(ui_, tr(method.name), FontRole::small_bold).x;
    draw::text_in(ui_, title, tr(method.name), {FontRole::small_bold, ui_.theme->text});
    const Box rest = title.right_of(title.min.x + width + ui_.px(8));
    const std::string brief = whole.substr(0, whole.find(" · "));
    draw::text_in(ui_, rest, draw::first_fitting(ui_, rest.width(), {whole, brief}, FontRole::small),
                  {FontRole::small, ui_.theme->text_muted});
    ui_.items->add(ui_.items->of_card(slot_, "part %s", method.key), title, std::nullopt, tr(method.name));
    if (draw::hovered(title)) draw::tip(ui_, title, tr(method.meaning));
    if (values.empty()) return;
    const Box line = box_.cut_top(ui_.px(cell_height), ui_.px(row_gap));
    for (int i = 0; i < int_size(values); ++i) {
        const float left = left_of(i), right = left + pitch_ - ui_.px(2);
        const Box at{{std::round(left), line.min.y}, {std::round(right), line.max.y}};
        cell(method, at, i, values[i], range > 0 ? range : 1);
    }
}

/// Says which words all methods find important.
void Table::agreement() {
    if (!shown_->complete) return;
    std::vector<std::string> agreed;
    for (const int word : agreed_words(found(), counted_words))
        agreed.push_back(in_quotation_marks(column_word(frame_, slot_, word)));
    const std::string words = listed(agreed);
    const char* const differ =
        tr("The methods ask different questions, so they need not agree. No word is among the three largest in every "
           "row with the same sign.");
    const char* const same =
        tr("The methods ask different questions, so they need not agree. Among the three largest in every row, with "
           "the same sign: {1}.");
    say(words.empty() ? std::string(differ) : filled(same, {words}), "agreement");
    if (shown_->leaves_out_own)
        say(tr("Of the model with its changes, but without painted rows and patches of this sentence: they have no "
               "place where a word is missing."),
            "left out");
}

float Table::draw() {
    if (shown_ && !shown_->failure.empty()) {
        say(tr_full_sentence(shown_->failure), "why not");
        if (found().gradient.empty()) return box_.min.y;
    }
    head();
    if (!shown_) return box_.min.y;
    const float room = box_.width() - (source() > 0 ? ui_.px(part_gap) : 0);
    pitch_ = std::clamp(room / to_float(std::max(1, count())), ui_.px(cell_least), ui_.px(cell_most));
    words();
    for (const Method& method : methods) row(method);
    agreement();
    everywhere();
    return box_.min.y;
}

/// Draws the switch that shows the gradients of this answer beside all other values.
void Table::everywhere() {
    const Box line = box_.cut_top(ui_.px(22), ui_.px(row_gap));
    checkbox(ui_, label("everywhere"), line.min, tr("show ∂f/∂x at every number, in all views"),
             frame_.own<GradientsEverywhere>().on);
}

}  // namespace

float draw_word_parts(const Frame& frame, const Box& box, float first_column, int slot, const AskedAnswer& answer) {
    AskedAnswer asked = answer;
    asked.asked.gradients = frame.own<GradientsEverywhere>().on;
    frame.own<WordPartsLook>().wanted[slot] = asked.asked;
    return Table(frame, box, first_column, slot, asked).draw();
}

float word_parts_width(const Frame& frame, int slot) {
    if (!WordPartsRun::refusal(frame.model(slot).config).empty()) return 0;
    const WatchedSentence& sentence = frame.sentence(slot);
    return frame.ui.px(cell_least) * to_float(sentence.source.size() + sentence.tokens.size()) +
           (sentence.source.empty() ? 0 : frame.ui.px(part_gap));
}

std::string word_parts_text(const Frame& frame, int slot, const AskedAnswer& answer) {
    AskedWordParts asked = answer.asked;
    asked.gradients = frame.own<GradientsEverywhere>().on;
    const WordPartsShown* shown = shown_of(frame, slot, asked);
    if (!shown) return {};
    std::string text = answer.name + "\t" + with_decimals(shown->found.answer, 6) + "\n";
    const auto used = [&](const Method& method) { return !(shown->found.*method.values).empty(); };
    for (const Method& method : methods)
        if (used(method)) text += std::string("\t") + tr(method.name);
    for (std::size_t i = 0; i < shown->found.gradient.size(); ++i) {
        text += "\n" + column_word(frame, slot, static_cast<int>(i));
        for (const Method& method : methods)
            if (used(method)) {
                const double value = (shown->found.*method.values)[i];
                text += "\t" + (std::isnan(value) ? std::string() : with_decimals(value, 6));
            }
    }
    return text + "\n";
}

void request_word_parts(const Frame& frame, const std::function<std::optional<AskedWordParts>(int slot)>& answer_now) {
    WordPartsLook& look = frame.own<WordPartsLook>();
    AskedOfSentences wanted = std::exchange(look.wanted, {});
    for (int slot = 0; slot < 2; ++slot) {
        const WordPartsLook::Of now{frame.sentence(slot).text, &frame.model(slot)};
        const bool same = std::exchange(look.of[slot], now) == now;
        if (wanted[slot] || !frame.own<GradientsEverywhere>().on || !frame.trace(slot)) continue;
        wanted[slot] = same && look.sent[slot] ? look.sent[slot] : answer_now(slot);
        if (wanted[slot]) wanted[slot]->gradients = true;
    }
    if (wanted == look.sent) return;
    look.sent = wanted;
    frame.send(command::AskWordParts{wanted});
}

}  // namespace glassformer::app::views::who_argued
