#include <algorithm>
#include <array>
#include <cmath>
#include <memory>

#include "app/common/hidden_word.h"
#include "app/common/lens_curves_reading.h"
#include "app/common/lens_grid.h"
#include "app/common/predict_first.h"
#include "app/common/provenance.h"
#include "app/common/said_words.h"
#include "app/common/traced_value.h"
#include "app/language/sentences.h"
#include "app/language/tr.h"
#include "app/session/masks.h"
#include "app/ui/opened_part.h"
#include "app/ui/scroll_area.h"
#include "app/views/logit_lens/lens_curves_view.h"
#include "app/views/logit_lens/tuned_lens_line.h"
#include "app/views/view.h"
#include "core/base/number_text.h"

namespace glassformer::app::views::logit_lens {

/// The state of the view.
struct LogitLensState {
    int words = 5;                                        // how many of the likeliest are listed
    std::array<std::shared_ptr<LensReading>, 2> reading;  // computed once per trace, kept while that is on screen
    bool curves = false;                                  // entropy and rank over the layers instead of the list
    std::array<int, 2> followed{-1, -1};                  // the word whose rank is drawn; −1: the model's prediction
    std::array<std::shared_ptr<LensCurvesReading>, 2> of_curves;
    std::array<OpenedPart, 2> seen_curves;
    void on_model_changed() { followed = {-1, -1}; }
    void on_second_model_changed() { followed[1] = -1; }
};

namespace {

// Pixels at 100 %.
constexpr float view_side = 12, control_height = 24, row_air = 3, side_by_side = 780, narrow_card = 340;

LensReading& reading(const Frame& frame, int slot, const std::shared_ptr<const TunedLens>& tuned) {
    const std::shared_ptr<const Trace>& trace = frame.sentence(slot).trace;
    std::shared_ptr<LensReading>& kept = frame.state.own<LogitLensState>().reading[slot];
    if (!kept || !kept->of(trace, tuned)) kept = std::make_shared<LensReading>(trace, tuned);
    return *kept;
}

/// One sentence's lens.
struct Lens {
    const Frame& frame;
    LensReading& reading;
    const TunedLine& tuned;
    int slot;
    bool narrow;  // the switch of the curves does not fit beside the other controls of the list

    const Ui& ui() const { return frame.ui; }
    int token() const { return frame.state.token[slot]; }
    bool masked(int position) const { return is_mask(frame.model(slot), frame.sentence(slot).tokens[position].id); }
    bool any_masked() const {
        for (int i = 0; i < int_size(frame.sentence(slot).tokens); ++i)
            if (masked(i)) return true;
        return false;
    }
    bool fills_hidden() const { return guess_of(frame.model(slot)) == Guess::masked; }
    const std::vector<LensWord>& top() const {
        return reading.top(*frame.trace(slot), token(), frame.state.own<LogitLensState>().words,
                           frame.state.temperature);
    }
    std::string_view item(const char* name) const { return ui().items->of_card(slot, "%s", name); }
};

// ----------------------------------------------------------------------------------------------------- a hidden word

/// The first of the texts that fits.
std::string heading_text(const Lens& lens, bool nothing_hidden, float room) {
    const std::string noun = tr(lens.frame.model().token_noun);
    // The list below may have another temperature; the grid may not.
    const std::string_view at = lens.frame.state.temperature == 1.0f ? "" : " (T = 1)";
    const auto fitting = [&](std::string whole, std::string brief, std::string briefest = {}) {
        if (briefest.empty()) briefest = brief;
        for (std::string* text : {&whole, &brief, &briefest}) *text += at;
        return std::string(draw::first_fitting(lens.ui(), room, {whole, brief, briefest}, FontRole::small));
    };
    if (nothing_hidden)
        return fitting(tr("No word is masked: the model sees the words that it predicts."),
                       tr("It sees the words that it predicts."), tr("No ▢"));
    if (!lens.fills_hidden())
        return fitting(filled(tr("If the model stopped here, which {1} would come next?"), {noun}),
                       filled(tr("Which {1} would come next here?"), {noun}), tr("What comes next?"));
    return fitting(filled(tr("If the model stopped here, which {1} would it predict?"), {noun}),
                   tr("What would it predict here?"));
}

/// Draws the switch for curves instead of the list; returns its left edge.
float draw_curves_switch(const Lens& lens, const Box& row) {
    bool& curves = lens.frame.state.own<LogitLensState>().curves;
    const ButtonStyle style{.tone = Tone::quiet,
                            .selected = curves,
                            .font = FontRole::small,
                            .tooltip = tr("Curves\nHow unsure the model would be after each layer, and the rank of a "
                                          "word there.")};
    const Box place = row.right(chip_width(lens.ui(), tr("Curves"), style));
    if (button(lens.ui(), lens.item("lens curves"), place, tr("Curves"), style)) curves = !curves;
    return place.min.x;
}

/// Says what there is to see; if nothing is hidden, draws a button that hides the chosen word.
void draw_heading(const Lens& lens, const Box& box) {
    const Ui& ui = lens.ui();
    const bool offer = lens.fills_hidden() && !lens.any_masked();
    float right = draw_tuned_switch(lens.frame, lens.slot, box) - ui.px(8);
    if (lens.narrow) right = draw_curves_switch(lens, box.left_of(right)) - ui.px(6);
    if (offer) {
        const std::string word = lens.frame.word(lens.slot, lens.token());
        const std::string_view text = ui.items->format(tr("Mask “%s”"), word.c_str());
        const ButtonStyle style{.tone = Tone::attention,
                                .font = FontRole::small,
                                .tooltip = tr("Mask the chosen word\n▢ takes its place, and the model has to predict "
                                              "it. Or use Type… and write _ for the word.")};
        const float width = std::min(chip_width(ui, text, style),
                                     lens.narrow ? right - box.min.x - ui.px(44) : (right - box.min.x) * 0.5f);
        if (button(ui, lens.item("hide"), box.left_of(right).right(width), text, style))
            hide_word(lens.frame, lens.slot, lens.token());
        right -= width + ui.px(8);
    }
    const Box at = box.left_of(right);
    draw::label(ui, at, heading_text(lens, offer, at.width()), {FontRole::small, ui.theme->text_muted},
                {lens.item("lens heading")});
    if (!draw::hovered(at)) return;
    draw::tooltip(
        ui, tr("The logit lens\nThe residual stream after each block goes straight to the final norm and the "
               "unembedding, as if no further block came. A model of masked words predicts only at a ▢: elsewhere it "
               "sees the word itself. Hide a word with the button, or with Type… and _ in its place."));
}

// ------------------------------------------------------------------------------------------------- the likeliest words

std::string_view list_title(const Lens& lens) {
    const std::string word = lens.frame.word(lens.slot, lens.token());
    if (!lens.fills_hidden()) return lens.ui().items->format(tr("after “%s”"), word.c_str());
    return lens.masked(lens.token()) ? tr("prediction at ▢")
                                     : lens.ui().items->format(tr("prediction at “%s”"), word.c_str());
}

std::string entropy_title(const Lens& lens) {
    const std::string word = "“" + lens.frame.word(lens.slot, lens.token()) + "”";
    return lens.fills_hidden()
               ? filled(tr("entropy at {1}, bits"), {lens.masked(lens.token()) ? std::string("▢") : word})
               : filled(tr("entropy after {1}, bits"), {word});
}

std::string plain_text(const Lens& lens) {
    std::string text = provenance(lens.frame, lens.slot).text();
    if (lens.tuned.lens) text += lens.tuned.text;
    for (const std::string& layer : lens.tuned.layers) text += "\t" + layer;
    if (lens.tuned.lens) text += '\n';
    for (int layer = lens.reading.layers() - 1; layer >= 0; --layer) {
        text += filled(tr("after {1}"), {std::string(lens_layer_name(lens.frame, layer))});
        for (int position = 0; position < lens.frame.trace(lens.slot)->positions(); ++position) {
            const LensWord* const best = lens.reading.best(layer, position);
            text += best ? lens.ui().items->format("\t%.1f %% ", 100 * static_cast<double>(best->probability)) : "\t…";
            if (best) text += vocabulary_word(lens.frame, best->id);
        }
        text += '\n';
    }
    text += std::string(list_title(lens));
    text += lens.ui().items->format(tr(", temperature %.2f\n"), lens.frame.state.temperature);
    for (const LensWord& word : lens.top()) {
        text += vocabulary_word(lens.frame, word.id);
        text += lens.ui().items->format("\t%.2f %%\n", 100 * static_cast<double>(word.probability));
    }
    return text;
}

/// Draws the number of words, the temperature, and the copy button.
void draw_controls(const Lens& lens, const Box& box) {
    const Ui& ui = lens.ui();
    ViewState& state = lens.frame.state;
    static constexpr std::array<std::string_view, 3> names = {"5", "10", "20"};
    static constexpr std::array<int, 3> counts = {5, 10, 20};
    int chosen = static_cast<int>(std::ranges::find(counts, state.own<LogitLensState>().words) - counts.begin());
    const float choices = std::min(ui.px(88), box.width() * 0.3f);
    const bool curves = state.own<LogitLensState>().curves;  // they show the model's own probabilities, at T = 1
    if (!curves) segmented(ui, lens.item("lens words"), box.left(choices), names, chosen);
    state.own<LogitLensState>().words = counts[std::clamp(chosen, 0, 2)];

    const ButtonStyle copy{.tone = Tone::quiet,
                           .enabled = !saying_waits(state, lens.slot, lens.token()),
                           .font = FontRole::small,
                           .tooltip = tr("Copy as text\nCopies the grid and the list below to the clipboard.")};
    const float copy_x = box.max.x - draw::text_size(ui, tr("Copy"), FontRole::small).x - ui.px(14);
    if (button(ui, lens.item("lens copy"), box.right_of(copy_x), tr("Copy"), copy))
        ImGui::SetClipboardText(plain_text(lens).c_str());

    const float end = (lens.narrow ? copy_x : draw_curves_switch(lens, box.left_of(copy_x - ui.px(6)))) - ui.px(8);
    if (curves) return;
    float x = box.min.x + choices + ui.px(10);
    const ImVec2 from{x, box.min.y};
    const float name = draw::text_size(ui, "T", FontRole::small_bold).x;
    if (end - x - name < ui.px(46)) return;
    draw::text_in(ui, box.between_x(x, x + name + 1), "T", {FontRole::small_bold, ui.theme->text_muted});
    x += name + ui.px(6);
    const float right = std::min(end, x + ui.px(220));
    const std::string_view shown = ui.items->format("%.2f", state.temperature);
    if (slider(ui, lens.item("temperature"), box.between_x(x, right), state.temperature, 0.2f, 2.0f, shown) &&
        std::abs(state.temperature - 1) < 0.03f)
        state.temperature = 1;  // snap to the model's own temperature
    if (draw::hovered({from, {right, box.max.y}}))
        draw::tooltip(ui, tr("Temperature\nThe logits are divided by T before softmax. Below 1, the most likely words "
                             "get more probability; above 1, less. At 1.00 these are the model's own probabilities."));
}

/// Draws one word of the list: its name, a bar and its probability. A click opens the model's own number.
void draw_word(const Lens& lens, const Box& row, int i, const LensWord& said, float name_width) {
    const Ui& ui = lens.ui();
    const Theme& t = *ui.theme;
    const std::string_view label = ui.items->of_card(lens.slot, "top %d", i);
    if (saying_waits(lens.frame.state, lens.slot, lens.token()))
        return draw_waiting(ui, label, row.left(name_width), draw::Align::right);
    const double probability = said.probability;
    const std::string word = vocabulary_word(lens.frame, said.id);
    const Cell cell = probability_cell(*lens.frame.trace(lens.slot), lens.token(), said.id);
    const Response r = click_area(ui, label, row, probability, word);
    const bool lit = is_lit(lens.frame.state, lens.slot, cell);
    if (r.hovered || lit) draw::rounded_box(ui, row, r.hovered ? t.hover : t.selection_tint, 0, 4);
    const float number = draw::text_size(ui, "100.0 %", FontRole::small).x, middle = row.middle_y();
    draw::text_in(ui, row.left(name_width), word,
                  {lit ? FontRole::small_bold : FontRole::small, t.text, draw::Align::right});
    const float left = row.min.x + name_width + ui.px(8), room = row.max.x - number - ui.px(8) - left;
    const float half = std::min(ui.px(16), row.height() * 0.6f) / 2;
    const float end = left + std::max(ui.px(2), room * said.probability);
    if (room > ui.px(4)) ui.list()->AddRectFilled({left, middle - half}, {end, middle + half}, t.attention, ui.px(2));
    draw::text_in(ui, row.between_x(row.max.x - number - ui.px(4), row.max.x - ui.px(4)),
                  ui.items->format("%.1f %%", 100 * probability), {FontRole::small, t.text_muted, draw::Align::right});
    if (!r.hovered) return;
    const double own = lens.frame.trace(lens.slot)->at(cell);
    point_at(lens.frame, lens.slot, cell, r.clicked,
             lens.frame.state.temperature == 1.0f
                 ? ui.items->format("P(%s)  %.4f", word.c_str(), own)
                 : ui.items->format(tr("%s  %.4f at T = %.2f, %.4f at 1.00"), word.c_str(), probability,
                                    lens.frame.state.temperature, own));
}

float list_height(const Lens& lens, float row) {
    const Ui& ui = lens.ui();
    if (lens.frame.state.own<LogitLensState>().curves) return ui.px(control_height + 6 + curves_height);
    return ui.px(control_height) + ui.px(4) + ui.line(FontRole::body_bold) + ui.px(4) +
           row * to_float(lens.top().size());
}

void draw_curves(const Lens& lens, const Box& box) {
    const Frame& frame = lens.frame;
    if (saying_waits(frame.state, lens.slot, lens.token()))
        return draw_waiting(lens.ui(), lens.item("curves"), box.top(lens.ui().px(control_height)), draw::Align::left);
    LogitLensState& state = frame.state.own<LogitLensState>();
    std::shared_ptr<LensCurvesReading>& kept = state.of_curves[lens.slot];
    if (const LensCurves* curves = lens_curves(kept, frame.sentence(lens.slot).trace, lens.token(), lens.tuned.lens))
        return draw_lens_curves(frame, *curves, lens.slot, state.followed[lens.slot], entropy_title(lens),
                                box.top(std::clamp(box.height(), lens.ui().px(curves_height), lens.ui().px(260))));
    const std::string why = kept ? kept->why_not() : std::string();
    if (why.empty()) frame.state.more_to_compute = true;
    draw::label_wrapped(lens.ui(), box.min, box.width(), why.empty() ? "…" : tr_full_sentence(why),
                        {FontRole::small, lens.ui().theme->text_muted}, {lens.item("curves")});
}

void draw_list(const Lens& lens, const Box& box, float row) {
    const Ui& ui = lens.ui();
    float y = box.min.y + ui.px(control_height);
    draw_controls(lens, box.above(y));
    LogitLensState& state = lens.frame.state.own<LogitLensState>();
    const Box part{box.min, {box.max.x, y + ui.px(6 + curves_height)}};  // including the controls that switch them
    if (state.seen_curves[lens.slot].draw(state.curves, part)) lens.frame.state.more_to_compute = true;
    if (state.curves) return draw_curves(lens, box.below(y + ui.px(6)));
    y += ui.px(4);
    const float bottom = y + ui.line(FontRole::body_bold);
    draw::text_in(ui, box.between_y(y, bottom), list_title(lens), {FontRole::body_bold});
    y = bottom + ui.px(4);
    const std::vector<LensWord>& top = lens.top();
    float name_width = ui.px(30);
    for (const LensWord& word : top)
        name_width =
            std::max(name_width, draw::text_size(ui, vocabulary_word(lens.frame, word.id), FontRole::small_bold).x);
    name_width = std::ceil(std::min(name_width + ui.px(4), box.width() * 0.4f));
    for (int i = 0; i < int_size(top); ++i, y += row) draw_word(lens, box.between_y(y, y + row), i, top[i], name_width);
}

// --------------------------------------------------------------------------------------------------------- the whole

void draw_why_not(const Lens& lens, const Box& box) {
    const Ui& ui = lens.ui();
    const std::string why = tr_full_sentence(lens.reading.why_not());
    draw::text_wrapped(ui, box.min, box.width(), why, {FontRole::small, ui.theme->text_muted});
    ui.items->add(lens.item("lens why not"), box, std::nullopt, why);
}

/// Sizes of one frame, in pixels.
struct Layout {
    bool beside = false;  // the list is right of the grid instead of below it
    float tuned_width = 0, above = 0, gap = 0, grid_width = 0, list_row = 0, height = 0;
    LensGrid grid;
};

/// Puts the list beside the grid, or below it.
void choose_places(const Lens& lens, const Box& inside, bool beside, Layout& at) {
    at.beside = beside;
    at.gap = lens.ui().px(beside ? 32 : 14);
    at.grid_width = beside ? std::round(inside.width() * 0.6f) : inside.width();
    at.grid = lens_grid(lens.frame, lens.reading, lens.slot, at.grid_width);
}

/// Puts the list below the grid if both fit, and if the box is too narrow for anything else. Spare height goes first to
/// the cells of the grid, then to the rows of the list.
Layout layout(const Lens& lens, const Box& inside) {
    const Ui& ui = lens.ui();
    Layout at;
    // Leaves room for a scroll bar even if there will be none: lines are wrapped before that is known.
    const float scroll_bar = ImGui::GetStyle().ScrollbarSize + ui.px(2);
    at.tuned_width = inside.width() - scroll_bar;
    at.above = ui.px(control_height) + ui.px(4) + tuned_line_height(ui, lens.tuned, at.tuned_width);
    at.list_row = ui.line(FontRole::small) + ui.px(row_air);
    const auto needed = [&] {
        const float grid = at.grid.height(), list = list_height(lens, at.list_row);
        return at.above + (at.beside ? std::max(grid, list) : grid + at.gap + list);
    };
    choose_places(lens, inside, false, at);
    if (needed() > inside.height() && inside.width() >= ui.px(side_by_side)) choose_places(lens, inside, true, at);
    if (needed() > inside.height()) {
        at.grid_width -= scroll_bar;
        at.grid = lens_grid(lens.frame, lens.reading, lens.slot, at.grid_width);
    } else {
        const float taller = (inside.height() - (at.beside ? at.above + at.grid.height() : needed())) / 2;
        at.grid.row += std::floor(std::min(ui.px(44), taller / to_float(at.grid.layers)));
        const float spare = inside.height() - (at.beside ? at.above + list_height(lens, at.list_row) : needed());
        at.list_row += std::floor(std::min(ui.px(22), spare / to_float(lens.top().size())));
    }
    at.height = needed();
    return at;
}

void draw_view(const Frame& frame, const Box& box, int slot) {
    const Ui& ui = frame.ui;
    const TunedLine tuned = tuned_line(frame, slot);
    const Box inside{{box.min.x + ui.px(view_side), box.min.y + ui.px(2)},
                     {box.max.x - ui.px(view_side), box.max.y - ui.px(4)}};
    const Lens lens{frame, reading(frame, slot, tuned.lens), tuned, slot, inside.width() < ui.px(narrow_card)};
    if (!lens.reading.why_not().empty()) return draw_why_not(lens, inside);
    const Layout at = layout(lens, inside);
    const ScrollArea area(ui, slot == 0 ? "##lens view A" : "##lens view B", inside, at.height);
    const Box& content = area.content();
    draw_heading(lens, content.top(ui.px(control_height)));
    draw_tuned_line(frame, tuned, slot, content.below(content.min.y + ui.px(control_height + 4)).left(at.tuned_width));
    const float y = content.min.y + at.above;
    draw_lens_grid(frame, lens.reading, at.grid, {content.min.x, y}, at.grid_width, slot);
    if (at.beside) return draw_list(lens, {{content.min.x + at.grid_width + at.gap, y}, content.max}, at.list_row);
    draw_list(lens, content.below(y + at.grid.height() + at.gap), at.list_row);
}

/// For captions and exported tables: the lens that the numbers are read through, unless it is the plain one for all.
std::string lens_text(const Frame& frame) {
    std::string text;
    bool differ = false;
    for (int slot = 0; slot < 2; ++slot) {
        if (!is_shown(frame.state, slot) || !frame.trace(slot)) continue;
        const TunedLine tuned = tuned_line(frame, slot);
        const std::string here = tuned.lens ? filled(tr("tuned lens of step {1}"), {grouped(frame.sentence(slot).step)})
                                            : std::string(tr("plain lens"));
        differ = differ || tuned.lens;
        if (text != here) text += (text.empty() ? "" : ", ") + here;
    }
    return differ ? text : std::string();
}

}  // namespace

extern constinit const View view{
    .name = N_("Logit lens"),
    .meaning = N_("If the model stopped after a block, which word would it predict?"),
    .also = "early exit prediction layers unembedding temperature entropy rank curves tuned",
    .draw = draw_view,
    // A model that classifies sentences or predicts numbers has no words to stop at.
    .offered = [](const Frame& frame) { return frame.model().config.output == OutputKind::words; },
    .caption_suffix = lens_text,
};

}  // namespace glassformer::app::views::logit_lens
