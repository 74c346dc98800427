#include <algorithm>
#include <cmath>

#include "app/common/explanation.h"
#include "app/language/tr.h"
#include "app/session/masks.h"
#include "app/ui/cell_grid.h"
#include "app/ui/glyphs/text_direction.h"
#include "app/ui/scroll_page.h"
#include "app/views/training/training_pages.h"
#include "core/base/number_text.h"
#include "core/graph/hook_names.h"
#include "core/train/dropout_mask.h"

namespace glassformer::app::views::training {

namespace {

constexpr float row_height = 15, cell_most = 12, word_width = 84,
                choice_width = 280;  // of the dropout mask, in pixels at 100 %

/// Which place of the model is shown.
struct DropoutLook {
    int place = 0;
    void on_model_changed() { place = 0; }
};

// Pixels at 100 %.
constexpr float side = 12, chip_pad = 7, chip_height = 24, chip_gap = 5, sentence_gap = 12, number_width = 26,
                legend_cells = 9;
constexpr std::size_t numbers_named = 3;  // of a vector; the others become "…"

/// The colour of a token's loss: from the card's own colour to amber.
ImU32 loss_colour(const Theme& t, float share) {
    const ImU32 amber = t.kind == ThemeKind::light ? IM_COL32(0xD9, 0x77, 0x06, 255) : IM_COL32(0xF5, 0x9E, 0x0B, 255);
    return mix(mix(t.card, amber, 0.06f), amber, std::clamp(share, 0.0f, 1.0f));
}

/// How the batch's losses are shown: what kind they are, and which one gets the full colour.
struct LossScale {
    bool of_values;  // squared errors, not −log p
    float top;
    std::string top_text;

    LossScale(const ModelInfo& model, const Inspection& found) : of_values(model.config.outputs_numbers()) {
        const TransformerConfig& c = model.config;
        if (of_values) {
            top = 0;
            for (const LearnedSentence& sentence : found.batch)
                for (const LearnedSentence::Token& token : sentence.tokens)
                    if (std::isfinite(token.loss)) top = std::max(top, token.loss);
            top_text = in_short(top);
        } else {
            top = std::log(to_float(c.output == OutputKind::classes ? c.d_output : c.d_vocab));
            top_text = filled(tr("{1} at chance level"), {in_short(top)});
        }
        top = std::max(top, 1e-12f);
    }
    /// Nats with two decimals; errors with three digits, since their size is unknown.
    std::string number(float loss) const { return of_values ? in_short(loss) : with_decimals(loss); }
    std::string text(float loss) const {
        if (of_values) return filled(tr("squared error {1}"), {number(loss)});
        const double p = std::exp(-static_cast<double>(loss));
        return filled(tr("loss {1} nats: p = {2}"), {number(loss), p < 0.01 ? in_short(p) : with_decimals(p)});
    }
};

std::string numbers_text(std::span<const float> all, std::size_t token, std::size_t tokens) {
    const std::size_t each = tokens ? all.size() / tokens : 0;
    std::string text;
    for (std::size_t i = 0; i < std::min(each, numbers_named); ++i)
        text += (i ? ", " : "") + in_short(all[token * each + i]);
    return text + (each > numbers_named ? ", …" : "");
}

/// One token of a sentence on screen.
struct Chip {
    std::string text, wanted;  // as it was read; as it should have been predicted
    float loss;                // NaN: no prediction was asked for here
    bool asked() const { return !std::isnan(loss); }
};

std::vector<Chip> chips_of(const ModelInfo& model, const LearnedSentence& sentence) {
    const bool classes = model.config.output == OutputKind::classes, says_numbers = !sentence.wanted.empty();
    const std::size_t count = sentence.tokens.size();
    std::vector<Chip> chips;
    for (std::size_t i = 0; i < count; ++i) {
        const LearnedSentence::Token& token = sentence.tokens[i];
        Chip chip{is_mask(model, token.id) ? "▢" : model.token_text(token.id), "", token.loss};
        if (!sentence.read.empty()) chip.text = numbers_text(sentence.read, i, count);
        if (classes) chip.loss = std::numeric_limits<float>::quiet_NaN();
        if (chip.asked())
            chip.wanted = says_numbers ? numbers_text(sentence.wanted, i, count) : model.token_text(token.target);
        chips.push_back(std::move(chip));
    }
    if (classes && count > 0)
        chips.push_back({tr("class"), model.class_name(sentence.tokens[0].target), sentence.tokens[0].loss});
    return chips;
}

/// Size of a cell: its chip and, if a prediction was asked for, the two lines below it.
struct CellSize {
    float width, height;
};

CellSize size_of(const Ui& ui, const Chip& chip, const LossScale& scale, bool any_asked) {
    const float pad = 2 * ui.px(chip_pad), line = ui.line(FontRole::small);
    float width = draw::text_size(ui, chip.text, FontRole::small).x + pad;
    if (chip.asked()) {
        width = std::max(width, draw::text_size(ui, "→ " + chip.wanted, FontRole::small).x + ui.px(4));
        width = std::max(width, draw::text_size(ui, scale.number(chip.loss), FontRole::small_bold).x);
    }
    return {std::ceil(width), ui.px(chip_height) + (any_asked ? 2 * line + ui.px(2) : 0)};
}

void draw_chip(const Ui& ui, const Chip& chip, const LossScale& scale, std::string_view label, const Box& box) {
    const Theme& t = *ui.theme;
    const float line = ui.line(FontRole::small), below = box.min.y + ui.px(chip_height);
    const ImU32 fill = chip.asked() ? loss_colour(t, chip.loss / scale.top) : 0;
    draw::rounded_box(ui, box.above(below), fill, fill ? 0 : t.control_border, 5);
    draw::text_in(ui, box.above(below), chip.text,
                  {FontRole::small, fill ? Theme::text_on(fill) : t.text_muted, draw::Align::centre});
    if (!chip.asked()) return;
    const std::string wanted = "→ " + chip.wanted, loss = scale.number(chip.loss);
    const draw::TextStyle style{FontRole::small, t.text_muted, draw::Align::centre};
    draw::text_in(ui, box.between_y(below + ui.px(1), below + ui.px(1) + line), wanted, style);
    draw::text_in(ui, box.between_y(below + ui.px(1) + line, below + ui.px(1) + 2 * line), loss,
                  {FontRole::small_bold, 0, draw::Align::centre});
    ui.items->add(label, box, chip.loss, chip.text);
    if (draw::hovered(box))
        draw::tooltip(ui, box, filled(tr("target: {1}\n{2}"), {chip.wanted, scale.text(chip.loss)}));
}

/// Draws the words to translate; returns the height used.
float draw_source(const Ui& ui, const ModelInfo& model, const LearnedSentence& sentence, ImVec2 at, float width) {
    if (sentence.source.empty()) return 0;
    std::string text = tr("source:");
    for (const int id : sentence.source) text += " " + model.source_token_text(id);
    return draw::text_wrapped(ui, at, width, text, {FontRole::small, ui.theme->text_muted}) + ui.px(4);
}

/// Draws one sentence, its chips wrapped into lines; returns the bottom.
float draw_learned(const Frame& frame, const LossScale& scale, int index, const Box& box) {
    const Ui& ui = frame.ui;
    const ModelInfo& model = *frame.snapshot.model;
    const LearnedSentence& sentence = frame.snapshot.inspection->batch[index];
    const float left = box.min.x + ui.px(number_width), gap = ui.px(chip_gap);
    draw::text_in(ui, {box.min, {left - ui.px(8), box.min.y + ui.px(chip_height)}}, ui.items->format("%d", index + 1),
                  {FontRole::small, ui.theme->text_faint, draw::Align::right});
    float y = box.min.y + draw_source(ui, model, sentence, {left, box.min.y}, box.max.x - left), x = left;
    const std::vector<Chip> chips = chips_of(model, sentence);
    const bool any = std::ranges::any_of(chips, &Chip::asked);
    const ImVec2 from = ui.list()->GetClipRectMin(), to = ui.list()->GetClipRectMax();
    float height = 0;
    std::string words;
    for (const Chip& chip : chips) words += chip.text;
    const bool from_right = runs_right_to_left(words);
    for (std::size_t i = 0; i < chips.size(); ++i) {
        const CellSize size = size_of(ui, chips[i], scale, any);
        if (x > left && x + size.width > box.max.x) x = left, y += size.height + gap;
        const float shown = from_right ? left + box.max.x - x - size.width : x;
        if (y + size.height >= from.y && y <= to.y)
            draw_chip(ui, chips[i], scale, ui.items->format("training/loss %d %d", index, static_cast<int>(i)),
                      {{shown, y}, {shown + size.width, y + size.height}});
        x += size.width + gap;
        height = size.height;
    }
    return y + height;
}

float legend_width(const Ui& ui, const LossScale& scale) {
    return draw::text_size(ui, "0", FontRole::small).x + ui.px(legend_cells * 8 + 12) +
           draw::text_size(ui, scale.top_text, FontRole::small).x;
}

void draw_legend(const Ui& ui, const LossScale& scale, const Box& box) {
    const float zero = draw::text_size(ui, "0", FontRole::small).x, left = box.min.x + zero + ui.px(6);
    const draw::TextStyle style{FontRole::small, ui.theme->text_muted};
    draw::text_in(ui, box.left_of(left), "0", style);
    const float middle = std::round(box.middle_y()), half = ui.px(5);
    for (int i = 0; i < static_cast<int>(legend_cells); ++i) {
        const float x = left + ui.px(8) * to_float(i);
        ui.list()->AddRectFilled({x, middle - half}, {x + ui.px(8), middle + half},
                                 loss_colour(*ui.theme, to_float(i) / (legend_cells - 1)));
    }
    draw::text_in(ui, box.between_x(left + ui.px(legend_cells * 8 + 6), box.max.x + 2), scale.top_text, style);
    ui.items->add("training/loss legend", box, scale.top);
    if (draw::hovered(box))
        draw::tip(ui, box,
                  scale.of_values ? tr("Squared error of each number\nStronger amber is a larger error. The largest on "
                                       "the screen has the full colour.")
                                  : tr("Loss of each token, −log p of the true one\nStronger amber is a larger loss. "
                                       "Full colour is the loss of a uniform prediction."));
}

/// Draws the loss of the whole batch, and says which part of it is shown; returns the bottom.
float draw_heading(const Frame& frame, const Inspection& found, const LossScale& scale, const Box& box) {
    const Ui& ui = frame.ui;
    const float line = std::max(ui.line(FontRole::small), ui.px(18)), legend = legend_width(ui, scale);
    const std::string loss = (scale.of_values ? tr("Mean squared error of the batch ") : tr("Loss of the batch ")) +
                             scale.number(found.batch_loss) + (scale.of_values ? "" : tr(" nats"));
    const std::string share = filled(
        tr("  its only sentence", "  the first {1} of its {2} sentences", static_cast<std::int64_t>(found.batch_size)),
        {std::to_string(found.batch.size()), std::to_string(found.batch_size)});
    const float room = box.max.x - legend - ui.px(12);
    const float width = draw::text_size(ui, loss, FontRole::small_bold).x;
    const bool below = box.min.x + width > room;  // the legend is on a line of its own
    draw::text(ui, box.min, loss, {FontRole::small_bold});
    ui.items->add("training/batch loss", {box.min, {box.min.x + width, box.min.y + line}}, found.batch_loss, loss);
    if (!below && box.min.x + width + draw::text_size(ui, share, FontRole::small).x <= room)
        draw::text(ui, {box.min.x + width, box.min.y}, share, {FontRole::small, ui.theme->text_muted});
    const ImVec2 at = below ? ImVec2{box.min.x, box.min.y + line} : ImVec2{box.max.x - legend, box.min.y};
    draw_legend(ui, scale, {at, {at.x + legend, at.y + line}});
    return at.y + line + ui.px(8);
}

/// Draws which numbers of the batch's first sentence dropout set to 0 in this update. Returns the bottom, or the top of
/// the box if the training has no dropout.
float draw_dropout_mask(const Frame& frame, const Inspection& found, const Box& box) {
    if (found.batch.empty()) return box.min.y;
    const std::vector<DropoutPlace> places = dropout_places(found.config);
    if (places.empty()) return box.min.y;
    const Ui& ui = frame.ui;
    const Theme& t = *ui.theme;
    DropoutLook& look = frame.own<DropoutLook>();
    look.place = std::clamp(look.place, 0, int_size(places) - 1);
    std::vector<std::string_view> names;
    for (const DropoutPlace& place : places) names.push_back(place.name);
    const DropoutPlace& place = places[look.place];
    const LearnedSentence& sentence = found.batch.front();
    const bool of_source = node_place(place.name).of_source();
    const int words = of_source ? int_size(sentence.source) : int_size(sentence.tokens);
    const std::vector<float> kept =
        dropout_mask(place, frame.snapshot.current_run()->setup.options.seed, found.step, words);
    const auto dropped = std::ranges::count(kept, 0.0f);

    float y = box.min.y;
    const std::string text = filled(
        tr("In this update, dropout set {1} of the first sentence's {2} numbers here to 0 (white) and multiplied the "
           "others by 1 ÷ (1 − {3}). The next update drops others; in use, the model drops none."),
        {std::to_string(dropped), std::to_string(kept.size()), in_short(place.rate, 2)});
    y += draw::text_wrapped(ui, {box.min.x, y}, box.width(), text, {FontRole::small, t.text_muted}) + ui.px(4);
    const ImVec2 end{std::min(box.max.x, box.min.x + ui.px(choice_width)), y + ui.px(24)};
    if (const int chosen =
            dropdown(ui, "training/dropout place", {{box.min.x, y}, end}, place.name, names, look.place, names);
        chosen >= 0)
        look.place = chosen;
    y = end.y + ui.px(6);
    CellGrid grid;
    grid.rows = words, grid.columns = place.width;
    const float left = box.min.x + ui.px(word_width);
    grid.min = {left, y};
    grid.pitch = {std::clamp((box.max.x - left) / to_float(place.width), 1.0f, ui.px(cell_most)),
                  std::max(ui.px(row_height), ui.line(FontRole::small))};
    draw_cells(ui, "training/dropout", grid,
               {words, place.width, kept, place.width, HeatColours::attention, 1, {}, {}});
    const ModelInfo& model = *frame.snapshot.model;
    for (int word = 0; word < words; ++word) {
        const float top = y + grid.pitch.y * to_float(word);
        const int id = of_source ? sentence.source[word] : sentence.tokens[word].id;
        const std::string name = of_source                ? model.source_token_text(id)
                                 : !sentence.read.empty() ? std::to_string(word + 1)
                                 : is_mask(model, id)     ? "▢"
                                                          : model.token_text(id);
        draw::text_in(ui, {{box.min.x, top}, {left - ui.px(6), top + grid.pitch.y}}, name,
                      {FontRole::small, t.text_muted, draw::Align::right});
    }
    ui.items->add("training/dropped", {grid.min, grid.max()}, item_state(dropped));
    return grid.max().y + ui.px(12);
}

}  // namespace

void draw_training_batch(const Frame& frame, const Box& box) {
    const Ui& ui = frame.ui;
    const Box inside = box.inset(ui.px(side), 0);
    const Inspection* found = inspection_for(frame, Inspected::batch);
    if (!found) return;  // comes with one of the next frames
    if (found->batch.empty())
        return draw_not_yet(
            frame, inside,
            tr("and the sentences that it learned from appear here, with the loss of each of their tokens."),
            found->missing);
    const LossScale scale(*frame.snapshot.model, *found);
    const float top = draw_heading(frame, *found, scale, inside);
    ScrollPage page(ui, "##training batch", box.below(top));
    float y = draw_dropout_mask(frame, *found, page.inside());
    for (int i = 0; i < int_size(found->batch); ++i)
        y = draw_learned(frame, scale, i, {{page.inside().min.x, y}, page.inside().max}) + ui.px(sentence_gap);
    page.reaches(y);
}

}  // namespace glassformer::app::views::training
