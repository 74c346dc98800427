#include "app/views/mlp/neuron_words_view.h"

#include <algorithm>
#include <tuple>

#include "app/common/traced_value.h"
#include "app/language/tr.h"
#include "app/ui/memo.h"
#include "core/analysis/neurons.h"

namespace glassformer::app::views::mlp {

namespace {

constexpr std::size_t shown_words = 5;

float word_line_height(const Ui& ui) { return ui.line(FontRole::small) + ui.px(2); }

/// A place of one of the two sentences, and how strongly the neuron fires there.
struct Excited {
    int slot = -1, position = 0;
    float value = 0;
};

/// The places where the neuron fires most, the strongest first; slot −1 where there are no more.
std::array<Excited, shown_words> most_excited(const Frame& frame, const MlpTrace& mlp) {
    std::array<Excited, shown_words> best;
    for (int slot = 0; slot < 2; ++slot) {
        const Trace* trace = frame.trace(slot);
        // Another model's neurons are others; one trace in both cards counts once.
        if (!trace || trace->parameters() != mlp.trace.parameters()) continue;
        if (slot != mlp.slot && trace == &mlp.trace) continue;
        const SliceView all = trace->part(mlp.post, trace->slices(mlp.post).all());
        const std::span<const float> post = all.values();
        for (int position = 0; position < trace->positions(); ++position) {
            const std::size_t at = static_cast<std::size_t>(position) * static_cast<std::size_t>(mlp.width);
            Excited moving{slot, position, post[at + static_cast<std::size_t>(mlp.chosen)]};
            for (Excited& place : best)
                if (place.slot < 0 || (moving.slot >= 0 && moving.value > place.value)) std::swap(moving, place);
        }
    }
    return best;
}

/// The words of a neuron's weights; found again only for other weights or another neuron.
const NeuronWords& words_of(const MlpTrace& mlp) {
    static thread_local Memo<std::tuple<SharedKey<ParameterValues>, int, int>, NeuronWords, 4> known;
    return known({mlp.trace.parameters(), mlp.block, mlp.chosen},
                 [&] { return neuron_words(mlp.trace, mlp.block, mlp.chosen, shown_words); });
}

/// A line of a column: a word at the left, a number at the right.
void word_line(const Ui& ui, const Box& row, std::string_view word, double value, ImU32 colour) {
    char number[32];
    const std::string_view shown = draw::signed_number(number, value);
    const float width = draw::text_size(ui, shown, FontRole::small).x + ui.px(4);
    const bool cut = draw::text_in(ui, row.left_of(row.max.x - width), word, {FontRole::small, colour});
    draw::text_in(ui, row.right(width), shown, {FontRole::small, ui.theme->text_muted, draw::Align::right});
    if (cut && draw::hovered(row)) draw::tooltip(ui, word);
}

void column_heading(const Frame& frame, const Box& column, std::string_view text, std::string_view tip) {
    const ImVec2 max{column.max.x, column.min.y + word_line_height(frame.ui)};
    draw::text_in(frame.ui, {column.min, max}, text, {FontRole::small, frame.ui.theme->text_muted});
    if (draw::hovered({column.min, max})) draw::tooltip(frame.ui, tip);
}

Box word_line(const Ui& ui, const Box& column, std::size_t i) {
    const float height = word_line_height(ui), y = column.min.y + height * static_cast<float>(i + 1);
    return column.between_y(y, y + height);
}

void draw_excited(const Frame& frame, const MlpTrace& mlp, const Box& column) {
    const Ui& ui = frame.ui;
    column_heading(
        frame, column, tr("most active at"),
        tr("Most active at\nThe words of both sentences at which this neuron is largest after the non-linearity."));
    const std::array<Excited, shown_words> best = most_excited(frame, mlp);
    for (std::size_t i = 0; i < best.size() && best[i].slot >= 0; ++i) {
        const Excited& e = best[i];
        const Box row = word_line(ui, column, i);
        const float letter = draw::text_size(ui, "A ", FontRole::small_bold).x;
        draw::text_in(ui, row.left_of(row.min.x + letter + 1), Frame::letter(e.slot),
                      {FontRole::small_bold, e.slot == 0 ? ui.theme->sense_a_text : ui.theme->sense_b_text});
        word_line(ui, row.right_of(row.min.x + letter), frame.word(e.slot, e.position), static_cast<double>(e.value),
                  ui.theme->text);
        const Cell cell{mlp.post, std::int64_t{e.position} * mlp.width + mlp.chosen};
        const std::string_view label = ui.items->format("%s/excited %d", Frame::letter(mlp.slot), static_cast<int>(i));
        traced_value(frame, e.slot, cell, label, row.inset(-ui.px(4), 0));
    }
}

void draw_scores(const Frame& frame, const MlpTrace& mlp, const Box& column, std::span<const NeuronWord> words,
                 const char* item, ImU32 colour) {
    const Ui& ui = frame.ui;
    for (std::size_t i = 0; i < words.size(); ++i) {
        const Box row = word_line(ui, column, i);
        const std::string word = frame.model().token_text(words[i].id);
        word_line(ui, row, word, words[i].score, colour);
        ui.items->add(ui.items->format("%s/%s %d", Frame::letter(mlp.slot), item, static_cast<int>(i)), row,
                      words[i].score, word);
    }
}

constexpr std::string_view argues_tip = N_(
    "The neuron's direction in words\nΣ W_out · U: its row of W_out times each word's vector of the unembedding. This "
    "is what one unit of the neuron adds to the word's logit, without the final norm and the later blocks. Where the "
    "neuron is below 0, it argues the other way.");

}  // namespace

float neuron_words_height(const Ui& ui) {
    return word_line_height(ui) * (2.0f + static_cast<float>(shown_words)) + ui.px(3);
}

void draw_neuron_words(const Frame& frame, const MlpTrace& mlp, const Box& box) {
    if (mlp.chosen < 0) return;
    const Ui& ui = frame.ui;
    const float top = box.min.y + word_line_height(ui) + ui.px(3);
    char number[32];
    const auto post = static_cast<double>(mlp.value(mlp.post, mlp.chosen));
    const std::string_view shown = draw::signed_number(number, post);
    const std::string word = frame.word(mlp.slot, mlp.token);
    const std::string_view title = ui.items->format(tr("neuron %d: %.*s at “%s”"), mlp.chosen,
                                                    static_cast<int>(shown.size()), shown.data(), word.c_str());
    draw::text_in(ui, box.above(top), title, {FontRole::small_bold, ui.theme->mlp_text});
    ui.items->add(ui.items->format("%s/chosen neuron", Frame::letter(mlp.slot)), box.above(top),
                  item_state(static_cast<double>(mlp.chosen)), title);
    const bool words = has_neuron_words(mlp.trace.model());
    const float gap = ui.px(16), width = (box.width() - (words ? 2 : 0) * gap) / (words ? 3.0f : 1.0f);
    const auto column = [&](int i) {
        const float x = box.min.x + (width + gap) * static_cast<float>(i);
        return Box{{x, top}, {x + width, box.max.y}};
    };
    draw_excited(frame, mlp, column(0));
    if (!words) return;
    const NeuronWords& found = words_of(mlp);
    column_heading(frame, column(1), tr("argues for"), argues_tip);
    draw_scores(frame, mlp, column(1), found.favoured, "favoured", ui.theme->good_text);
    column_heading(frame, column(2), tr("argues against"), argues_tip);
    draw_scores(frame, mlp, column(2), found.opposed, "opposed", ui.theme->danger_text);
}

}  // namespace glassformer::app::views::mlp
