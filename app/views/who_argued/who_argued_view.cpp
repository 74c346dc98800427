#include <algorithm>
#include <array>
#include <cmath>
#include <memory>
#include <string>
#include <tuple>
#include <utility>

#include "app/common/hidden_by_quiz.h"
#include "app/common/lens_curves_reading.h"
#include "app/common/lens_grid.h"
#include "app/common/provenance.h"
#include "app/common/token_names.h"
#include "app/language/sentences.h"
#include "app/language/tr.h"
#include "app/ui/child_window.h"
#include "app/ui/scroll_page.h"
#include "app/views/view.h"
#include "app/views/who_argued/argument_drawing.h"
#include "app/views/who_argued/words_page.h"
#include "core/base/number_text.h"
#include "core/text/special_tokens.h"

namespace glassformer::app::views::who_argued {

/// The word that "Logit attribution" asks about, chosen for one position in one sentence.
struct ArguedWord {
    std::string sentence;
    int token = -1, word = -1;  // −1: the model's likeliest word there
    std::string draft;          // text being typed
    bool unknown = false;       // the text entered is not in the model's vocabulary
};

/// The state of the view, by card.
struct WhoArguedState {
    std::array<ArguedWord, 2> word;
    AnswerChoice answer;                 // of both cards
    std::array<int, 2> classes{-1, -1};  // the class asked about, in a model with classes; −1: the likeliest
    int page = 0;
    std::array<std::shared_ptr<ArgumentReading>, 2> reading;   // computed once per trace, kept while that is on screen
    std::array<std::shared_ptr<LensCurvesReading>, 2> curves;  // likewise: their words can be asked about too
    void on_model_changed() { word = {}, classes = {-1, -1}; }
    void on_second_model_changed() { word[1] = {}, classes[1] = -1; }
};

namespace {

// Pixels at 100 %.
constexpr float view_side = 12, control_height = 24, gap = 8, row_least = 18, row_most = 24, low_height = 400;

/// The word asked about at the chosen position; the likeliest again when another position or sentence is chosen.
ArguedWord& argued_word(const Frame& frame, int slot) {
    ArguedWord& word = frame.state.own<WhoArguedState>().word[slot];
    const int token = frame.state.token[slot];
    const std::string& sentence = frame.sentence(slot).text;
    if (word.token != token || word.sentence != sentence) word = {sentence, token, -1, {}, false};
    return word;
}

const ArgumentReading& reading(const Frame& frame, int slot) {
    const std::shared_ptr<const Trace>& trace = frame.sentence(slot).trace;
    const Argument asked{frame.state.token[slot], argued_word(frame, slot).word,
                         static_cast<Against>(frame.state.own<WhoArguedState>().answer.against)};
    std::shared_ptr<ArgumentReading>& kept = frame.state.own<WhoArguedState>().reading[slot];
    if (!kept || !kept->of(trace, asked)) kept = std::make_shared<ArgumentReading>(trace, asked);
    return *kept;
}

/// One sentence's argument.
struct Stream {
    const Frame& frame;
    const ArgumentReading& reading;
    int slot;

    const Ui& ui() const { return frame.ui; }
    int token() const { return frame.state.token[slot]; }
    bool supported() const { return reading.why_not().empty(); }
    std::string word() const { return vocabulary_word(frame, reading.word()); }
    std::string_view item(const char* name) const { return ui().items->of_card(slot, "%s", name); }
    std::string_view less() const {
        return ui().items->format("− %s", std::string(vocabulary_word(frame, reading.runner_up())).c_str());
    }
    std::string_view total() const {
        if (frame.state.own<WhoArguedState>().answer.against == 0) return tr("logit");
        return frame.state.own<WhoArguedState>().answer.against == 1
                   ? std::string_view(tr("logit − mean"))
                   : ui().items->format(tr("logit %s"), less().data());
    }
};

// ------------------------------------------------------------------------------------------------------ which word

/// Adds the words that the model would have predicted had it stopped after some block: what took their lead away?
void add_led(const Stream& stream, std::vector<int>& ids, std::vector<std::string_view>& choices) {
    WhoArguedState& state = stream.frame.state.own<WhoArguedState>();
    const LensCurves* curves =
        lens_curves(state.curves[stream.slot], stream.frame.sentence(stream.slot).trace, stream.token());
    if (!curves) return;
    for (const LensCurves::Leader& leader : curves->leaders()) {
        if (std::ranges::find(ids, leader.word) != ids.end()) continue;
        ids.push_back(leader.word);
        choices.push_back(stream.ui().items->format(tr("%s: top prediction after %s"),
                                                    std::string(vocabulary_word(stream.frame, leader.word)).c_str(),
                                                    std::string(lens_layer_name(stream.frame, leader.layer)).c_str()));
    }
}

void choose_candidate(const Stream& stream, const Box& box) {
    const Ui& ui = stream.ui();
    std::vector<std::string_view> choices;
    std::vector<int> ids;
    for (const LensWord& candidate : stream.reading.candidates()) {
        ids.push_back(candidate.id);
        choices.push_back(ui.items->format("%s  %.1f %%",
                                           std::string(vocabulary_word(stream.frame, candidate.id)).c_str(),
                                           100 * static_cast<double>(candidate.probability)));
    }
    add_led(stream, ids, choices);
    const auto found = std::ranges::find(ids, stream.reading.word());
    const int current = found == ids.end() ? -1 : static_cast<int>(found - ids.begin());
    const std::string shown = in_quotation_marks(stream.word());
    const int chosen = dropdown(ui, stream.item("argued word"), box, shown, choices, current, choices);
    if (chosen < 0) return;
    ArguedWord& asked = argued_word(stream.frame, stream.slot);
    asked.word = ids[chosen];
    asked.unknown = false;
}

void type_word(const Stream& stream, const Box& box) {
    ArguedWord& asked = argued_word(stream.frame, stream.slot);
    bool entered = false;
    text_field(
        stream.ui(), stream.item("argued text"), box, asked.draft,
        box.width() < stream.ui().px(120) ? tr("other") : filled(tr("another {1}"), {token_name(stream.frame.model())}),
        &entered);
    if (!entered) return;
    const Tokenizer* tokenizer = stream.frame.model().tokenizer.get();
    std::optional<int> id = tokenizer ? only_token(*tokenizer, asked.draft) : std::nullopt;
    if (id && *id >= stream.frame.model().config.d_vocab) id.reset();
    asked.unknown = !id && !asked.draft.empty();
    if (id) asked.word = *id, asked.draft.clear();
    if (asked.draft.empty() && !id) asked.word = -1;
}

/// Draws "Logit of", the word, and a field for another one; returns the bottom.
float draw_question(const Stream& stream, const Box& box) {
    const Ui& ui = stream.ui();
    const float height = ui.px(control_height), space = ui.px(gap);
    float y = box.min.y;
    const std::string_view title = tr("Logit of");
    const float title_width = std::ceil(draw::text_size(ui, title, FontRole::body_bold).x);
    const float word = draw::text_size(ui, in_quotation_marks(stream.word()), FontRole::body_bold).x + ui.px(34);
    const float word_width = std::min(std::max(word, ui.px(72)), box.width());
    const bool one_line = title_width + word_width + space <= box.width();
    draw::text_in(ui, box.between_y(y, y + height), title, {FontRole::body_bold});
    if (!one_line) y += height;
    float x = one_line ? box.min.x + title_width + space : box.min.x;
    choose_candidate(stream, {{x, y}, {x + word_width, y + height}});
    x += word_width + space;
    if (box.max.x - x < ui.px(64)) x = box.min.x, y += height + ui.px(4);
    type_word(stream, {{x, y}, {std::min(box.max.x, x + ui.px(160)), y + height}});
    y += height;
    const ArguedWord& asked = argued_word(stream.frame, stream.slot);
    if (!asked.unknown) return y;
    const float bottom = y + ui.px(2) + ui.line(FontRole::small);
    draw::text_in(ui, box.between_y(y + ui.px(2), bottom), tr("The model does not know this word."),
                  {FontRole::small, ui.theme->danger_text});
    ui.items->add(stream.item("argued unknown"), box.between_y(y, bottom));
    return bottom;
}

// ----------------------------------------------------------------------------------------------- compared with what

std::string tabbed(double value) {
    const std::string number = with_decimals(value, 4);
    return (number.front() == '-' || std::isnan(value) ? "\t" : "\t+") + number + "\n";
}

std::string plain_text(const Stream& stream) {
    const Ui& ui = stream.ui();
    const std::string at = stream.frame.word(stream.slot, stream.token());
    std::string text = filled(tr("Logit attribution for “{1}” at “{2}”\n"), {std::string(stream.word()), at});
    text += provenance(stream.frame, stream.slot).text();
    bool first = true;
    for (const StreamNorm& norm : stream.reading.norms()) {
        const std::string_view name = norm_name(ui, norm);
        text += filled(tr("|x| after {1}\t{2}\n"), {name, with_decimals(norm.norm, 4)});
        if (!std::exchange(first, false))
            text += filled(tr("|Δ| of {1}\t{2}\n"), {name, with_decimals(norm.change, 4)});
    }
    for (const Contribution& term : stream.reading.parts().terms) {
        text += part_name(stream.frame, term);
        text += tabbed(term.value);
    }
    text += stream.total();
    text += tabbed(stream.reading.parts().traced);
    return text;
}

void draw_comparison(const Stream& stream, const Box& box) {
    const Ui& ui = stream.ui();
    const ButtonStyle copy{.tone = Tone::quiet,
                           .font = FontRole::small,
                           .tooltip = tr("Copy as text\nCopies every part and the sum to the clipboard.")};
    const float copy_x = box.max.x - draw::text_size(ui, tr("Copy"), FontRole::small).x - ui.px(14);
    if (button(ui, stream.item("argued copy"), box.right_of(copy_x), tr("Copy"), copy))
        ImGui::SetClipboardText(plain_text(stream).c_str());
    const std::array<std::string_view, 3> names = {N_("logit"), N_("− mean"), stream.less()};
    const Box choices = box.left_of(std::min(copy_x - ui.px(gap), box.min.x + ui.px(270)));
    const std::size_t count = stream.reading.runner_up() >= 0 ? 3 : 2;
    segmented(ui, stream.item("argued against"), choices, std::span(names).first(count),
              stream.frame.state.own<WhoArguedState>().answer.against);
    if (draw::hovered(choices))
        draw::tooltip(ui, tr("Compared with what\nOnly differences between logits matter. Subtract the mean of all "
                             "words, or the most likely other word: this removes what raises all words equally."));
}

// -------------------------------------------------------------------------------------------------------- the words

float draw_words(const Stream& stream, const Box& box, float first_column) {
    const Ui& ui = stream.ui();
    const float height = ui.px(control_height);
    const ModelInfo& model = stream.frame.model(stream.slot);
    const std::string why = WordPartsRun::refusal(model.config);
    if (!why.empty())
        return box.min.y + draw::label_wrapped(ui, box.min, box.width(),
                                               filled(tr("No word contributions here: {1}."), {tr_sentence(why)}),
                                               {FontRole::small, ui.theme->text_muted}, {stream.item("part why not")});
    float y = box.min.y;
    int word = stream.reading.word(), runner_up = stream.reading.runner_up();
    if (model.config.output == OutputKind::classes) {
        std::tie(word, runner_up) = choose_class(stream.frame, box.top(height), stream.slot,
                                                 stream.frame.own<WhoArguedState>().classes[stream.slot]);
        y += height;
    } else {
        y = draw_question(stream, box.top(0));
    }
    y += ui.px(6);
    const Box line = box.between_y(y, y + height);
    const float copy_x = line.max.x - draw::text_size(ui, tr("Copy"), FontRole::small).x - ui.px(14);
    const AskedAnswer answer =
        choose_answer(stream.frame, line.left_of(std::min(copy_x - ui.px(gap), line.min.x + ui.px(330))), stream.slot,
                      {word, runner_up}, stream.frame.own<WhoArguedState>().answer);
    const ButtonStyle copy{
        .tone = Tone::quiet,
        .font = FontRole::small,
        .tooltip = tr("Copy as a table\nCopies every word's part by every method to the clipboard.")};
    if (button(ui, stream.item("argued copy"), line.right_of(copy_x), tr("Copy"), copy))
        ImGui::SetClipboardText(
            (provenance(stream.frame, stream.slot).text() + word_parts_text(stream.frame, stream.slot, answer))
                .c_str());
    return draw_word_parts(stream.frame, box.below(line.max.y + ui.px(gap)), first_column, stream.slot, answer);
}

// --------------------------------------------------------------------------------------------------------- the whole

float least_row(const Stream& stream) {
    const Ui& ui = stream.ui();
    if (stream.frame.state.presenter) return ui.line(FontRole::small);
    return std::max(ui.px(row_least), ui.line(FontRole::small) + ui.px(1));
}

/// Draws the waterfall as tall as there is room for, or says why there is none; returns the bottom.
float draw_parts(const Stream& stream, const Box& box) {
    const Ui& ui = stream.ui();
    if (!stream.supported()) {
        return box.min.y + draw::label_wrapped(ui, box.min, box.width(), tr_full_sentence(stream.reading.why_not()),
                                               {FontRole::small, ui.theme->text_muted},
                                               {stream.item("argued why not")});
    }
    const Waterfall waterfall{stream.reading, stream.slot, stream.token(), stream.total()};
    const float least = least_row(stream);
    const float row =
        std::clamp(std::floor(box.height() / waterfall.rows()), least, least + ui.px(row_most - row_least));
    draw_waterfall(stream.frame, waterfall, box, row);
    return box.min.y + row * waterfall.rows();
}

constexpr std::array<std::string_view, 2> page_names = {N_("parts of the model"), N_("words")};

int& chosen_page(ViewState& state) { return state.own<WhoArguedState>().page; }

/// Draws the choice of the page; returns the bottom.
float draw_pages(const Frame& frame, int slot, const Box& box) {
    const Ui& ui = frame.ui;
    float widest = 0;
    for (const std::string_view name : page_names)
        widest = std::max(widest, draw::text_size(ui, tr(name), FontRole::small_bold).x);
    const Box row = box.top(ui.px(control_height)).left(std::min(box.width(), 2 * (widest + ui.px(20))));
    segmented(ui, ui.items->of_card(slot, "argued page"), row, page_names, chosen_page(frame.state));
    return row.max.y + ui.px(6);
}

void draw_words_page(const Frame& frame, const Stream& stream, const Box& box) {
    ScrollPage page(frame.ui, stream.slot == 0 ? "##words A" : "##words B", box, word_parts_width(frame, stream.slot));
    const Box seen{{page.seen_left(), page.inside().min.y}, {page.seen_right(), page.inside().max.y}};
    const float y = draw_pages(frame, stream.slot, seen);
    const bool hidden = saying_waits(frame.state, stream.slot, frame.state.token[stream.slot]);
    page.reaches(hidden ? draw_hidden_by_quiz(frame, stream.slot, seen.below(y), stream.item("argued hidden by quiz"))
                        : draw_words(stream, seen.below(y), page.inside().min.x));
}

void draw_view(const Frame& frame, const Box& box, int slot) {
    const Ui& ui = frame.ui;
    const Stream stream{frame, reading(frame, slot), slot};
    if (chosen_page(frame.state) == 1) return draw_words_page(frame, stream, box);
    ChildWindow window(ui, slot == 0 ? "##stream A" : "##stream B", box, ChildWindow::Kind::scrolls);
    const ImVec2 at = window.start();
    const float side = ui.px(view_side);
    const Box inside{{at.x + side, at.y + ui.px(2)}, {at.x + box.width() - side, at.y + box.height() - ui.px(4)}};
    float y = inside.min.y;
    const auto next = [&](float height) { return inside.between_y(y, y + height); };
    y = draw_pages(frame, slot, next(0));
    const bool hidden_by_quiz = saying_waits(frame.state, slot, frame.state.token[slot]);
    if (!hidden_by_quiz && !stream.reading.candidates().empty()) y = draw_question(stream, next(0)) + ui.px(6);
    const bool low = inside.height() < ui.px(low_height), norms = !stream.reading.norms().empty();
    const float norms_height = stream_norms_height(ui, low);
    const auto draw_norms = [&] {
        draw_stream_norms(frame, stream.reading.norms(), next(norms_height), low, slot, stream.token());
        y += norms_height + ui.px(gap);
    };
    // For an audience, the parts come first if not both fit: their sum is in the last row.
    const float parts = least_row(stream) * (to_float(stream.reading.parts().terms.size()) + 1);
    const bool above = !frame.state.presenter || hidden_by_quiz ||
                       y + norms_height + parts + ui.px(2 * gap + control_height) <= inside.max.y;
    if (norms && above) draw_norms();
    if (!hidden_by_quiz && stream.supported()) {
        draw_comparison(stream, next(ui.px(control_height)));
        y += ui.px(control_height) + ui.px(4);
    }
    const Box rest = inside.below(y);
    y = hidden_by_quiz ? draw_hidden_by_quiz(frame, slot, rest, stream.item("argued hidden by quiz"))
                       : draw_parts(stream, rest);
    if (norms && !above) {
        y += ui.px(gap);
        draw_norms();
    }
    window.reaches({at.x + 1, y + 1});
}

/// The answer that the page "words" would show for a card.
std::optional<AskedWordParts> answer_now(const Frame& frame, int slot) {
    const TransformerConfig& config = frame.model(slot).config;
    if (!is_shown(frame.state, slot) || !WordPartsRun::refusal(config).empty() ||
        saying_waits(frame.state, slot, frame.state.token[slot]))
        return std::nullopt;
    const WhoArguedState& state = frame.own<WhoArguedState>();
    if (config.output == OutputKind::classes)
        return asked_about(frame, slot, class_and_other(frame, slot, state.classes[slot]), state.answer);
    const ArgumentReading& read = reading(frame, slot);
    return asked_about(frame, slot, {read.word(), read.runner_up()}, state.answer);
}

void request(const Frame& frame) {
    request_word_parts(frame, [&](int slot) { return answer_now(frame, slot); });
}

}  // namespace

extern constinit const View view{
    .name = N_("Logit attribution"),
    .meaning = N_("What each part of the model writes toward the logit of a word, and each word's part in the answer."),
    .also =
        "direct who argued contributions waterfall stream length leave out occlusion saliency importance integrated "
        "gradients rollout words loss",
    .draw = draw_view,
    .pages = page_names,
    .page = chosen_page,
    .request = request,
};

}  // namespace glassformer::app::views::who_argued
