#include <cmath>

#include "app/common/colour_legend.h"
#include "app/common/predict_first.h"
#include "app/common/word_surprise.h"
#include "app/language/sentences.h"
#include "app/language/tr.h"
#include "app/panels/sentence/sentence_parts.h"

namespace glassformer::app {

namespace {

/// Returns true if an open question asks for something that the bits of a word would give away.
bool sum_waits(const Frame& frame, int slot, const WordSurprise& found) {
    for (int p = 0; p < static_cast<int>(found.tokens.size()); ++p)
        if (saying_waits(frame.state, slot, found.predicted_at(p))) return true;
    return false;
}

std::string why_none(const WordSurprise& found) {
    if (!found.why_not.empty()) return tr_sentence(found.why_not);
    if (found.read == ReadBefore::nothing_predicted) return tr("the model predicts none of these words");
    return {};
}

/// Returns "21.4 bits · 2.38 per token · perplexity 5.2", or as much of it as fits. Entropies have no perplexity of the
/// text.
std::string_view written(const Ui& ui, const TextSurprise& sum, bool entropy, bool complete, float width) {
    if (!complete) return ui.items->format(tr("%.1f bits so far"), sum.bits);
    const std::string_view per_token = ui.items->format(tr("%.1f bits · %.2f per token"), sum.bits, sum.per_token());
    const std::string_view whole = entropy ? per_token
                                           : ui.items->format(tr("%.1f bits · %.2f per token · perplexity %.1f"),
                                                              sum.bits, sum.per_token(), sum.perplexity());
    return draw::first_fitting(ui, width, {whole, per_token, ui.items->format(tr("%.1f bits"), sum.bits)},
                               FontRole::small);
}

void draw_sum(const Frame& frame, const Box& box, int slot, const WordSurprise& found) {
    const Ui& ui = frame.ui;
    const bool entropy = frame.state.word_colour == WordColour::entropy;
    const std::string_view label = ui.items->format(entropy ? "%s/entropy" : "%s/surprise", Frame::letter(slot));
    const draw::TextStyle style{FontRole::small, ui.theme->text_muted};
    const float name = draw::text_size(ui, entropy ? tr("entropy") : tr("surprise"), FontRole::small_bold).x;
    draw::text_in(ui, box, entropy ? tr("entropy") : tr("surprise"), {FontRole::small_bold, ui.theme->surprise_text});
    const Box rest = box.right_of(box.min.x + name + ui.px(8));
    if (const std::string why = why_none(found); !why.empty()) return void(draw::label(ui, rest, why, style, {label}));
    if (sum_waits(frame, slot, found)) return draw_waiting(ui, label, rest, draw::Align::left);
    const TextSurprise sum = entropy ? sum_of_entropies(found.tokens) : sum_of(found.tokens);
    if (sum.tokens == 0) return void(draw::label(ui, rest, tr("no word is predicted here"), style, {label}));
    const std::string_view shown = written(ui, sum, entropy, found.complete, rest.width());
    draw::text_in(ui, rest, shown, style);
    ui.items->add(label, rest, sum.bits, shown);
    ui.items->addf(rest, sum.per_token(), "%.*s/per token", static_cast<int>(label.size()), label.data());
    if (!entropy)
        ui.items->addf(rest, sum.perplexity(), "%.*s/perplexity", static_cast<int>(label.size()), label.data());
    if (!draw::hovered(box)) return;
    const char* const how = found.read == ReadBefore::earlier_words
                                ? tr("Each token is predicted from those before it; nothing predicts the first.")
                                : tr("Each token is predicted with that token masked, from all others.");
    const char* const what =
        entropy
            ? tr("Entropy\nThe bits that the model expects before it sees each token, −Σ p log₂ p, summed over {1} "
                 "token. {2}",
                 "Entropy\nThe bits that the model expects before it sees each token, −Σ p log₂ p, summed over {1} "
                 "tokens. {2}",
                 sum.tokens)
            : tr("Surprise\nThe sum of −log₂ P over {1} token. {2} Perplexity is 2 to the bits per token: as unsure "
                 "as a choice among that many equal words.",
                 "Surprise\nThe sum of −log₂ P over {1} tokens. {2} Perplexity is 2 to the bits per token: as unsure "
                 "as a choice among that many equal words.",
                 sum.tokens);
    const char* const pseudo = !entropy && found.read == ReadBefore::all_other_words
                                   ? tr(" With one token masked at a time this is called pseudo-perplexity.")
                                   : "";
    draw::tooltip(ui, filled(what, {std::to_string(sum.tokens), how}) + pseudo);
}

}  // namespace

float draw_surprise_line(const Frame& frame, const Box& box, float y, int slot) {
    if (frame.state.word_colour == WordColour::attention) no_word_surprise(frame);
    if (!coloured_by_surprise(frame, slot)) return y;
    const Ui& ui = frame.ui;
    const Box line = box.below(y + ui.px(4)).top(ui.px(20));
    const double most = std::log2(static_cast<double>(std::max(frame.model(slot).config.d_vocab, 2)));
    const float legend = bits_legend_width(ui, most);
    draw_sum(frame, line.left_of(line.max.x - legend - ui.px(10)), slot, word_surprise(frame, slot));
    draw_bits_legend(ui, line.right(legend), ui.items->format("%s/bits legend", Frame::letter(slot)), most);
    return line.max.y;
}

float draw_colour_button(const Frame& frame, const Box& box, int slot) {
    constexpr int cells = 3;
    const Ui& ui = frame.ui;
    const Box at = box.right(ui.px(30));
    WordColour& colour = frame.state.word_colour;
    const ButtonStyle style{
        .tooltip = colour == WordColour::attention
                       ? tr("The words are coloured by attention\nClick to colour them by surprise: how many bits the "
                            "model needs for each.")
                   : colour == WordColour::surprise
                       ? tr("The words are coloured by surprise\nClick to colour them by entropy: how unsure the model "
                            "was before each.")
                       : tr("The words are coloured by entropy\nClick to colour them by attention again.")};
    if (button(ui, ui.items->format("%s/colour", Frame::letter(slot)), at, "", style))
        colour = static_cast<WordColour>((static_cast<int>(colour) + 1) % cells);
    const Box strip = at.inset(ui.px(6), ui.px(7));
    for (int i = 0; i < cells; ++i) {
        const float share = static_cast<float>(i) / (cells - 1);
        const Box cell = strip.column(i, cells);
        ui.list()->AddRectFilled(
            cell.min, cell.max,
            colour == WordColour::attention ? ui.theme->attention_colour(share) : ui.theme->surprise_colour(share));
    }
    return at.min.x;
}

}  // namespace glassformer::app
