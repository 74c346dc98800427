#include <algorithm>
#include <cmath>

#include "app/common/explanation.h"
#include "app/common/predict_first.h"
#include "app/common/said_words.h"
#include "app/language/tr.h"
#include "app/panels/experiment/experiment_parts.h"
#include "app/panels/meaning/meaning_map.h"
#include "app/panels/meaning/measured_senses.h"
#include "core/base/number_text.h"

// What a run's card shows beside its head's pattern.
namespace glassformer::app {

namespace {

constexpr int most_listed_answers = 8;

/// For a model that predicts numbers: the prediction at the chosen position, and the true value if it is known.
void draw_run_number(const Frame& run, std::size_t index, const Box& box) {
    const Ui& ui = run.ui;
    const int slot = run.state.slot, token = run.state.token[slot];
    const Trace& trace = *run.trace(slot);
    if (token < 0 || token >= trace.positions()) return;  // chosen in another sentence
    const std::int64_t width = trace.shape(trace.model().logits).back(), at = std::int64_t{token} * width;
    const auto value = static_cast<double>(trace.at({trace.model().logits, at}));
    std::string text = filled(tr("prediction at {1}: {2}"), {run.word(slot, token), precise(value)});
    const std::vector<float>& truth = run.sentence(slot).true_values;
    if (at < static_cast<std::int64_t>(truth.size()) && !std::isnan(truth[static_cast<std::size_t>(at)]))
        text += " · " + filled(tr("true: {1}"), {precise(static_cast<double>(truth[static_cast<std::size_t>(at)]))});
    draw::label_wrapped(ui, box.min, box.width(), text, {FontRole::body},
                        {ui.items->format("experiment/answer %d 0", static_cast<int>(index)), value, text});
}

}  // namespace

void draw_run_prediction(const Frame& run, std::size_t index, const Box& whole) {
    const Ui& ui = run.ui;
    const int slot = run.state.slot;
    if (run.model(slot).config.outputs_numbers()) return draw_run_number(run, index, whole);
    const std::optional<SaidWords> said = said_words(run, slot);
    if (!said) return;
    const bool waits = saying_waits(run.state, slot, run.state.token[slot]);
    const float line = ui.line(FontRole::body), bar = ui.px(4), gap = ui.px(6);
    const int rows = static_cast<int>((whole.height() + gap) / (line + ui.px(1) + bar + gap));
    Box box = whole;
    const std::vector<int> best = likeliest(said->now, std::clamp(rows, 1, most_listed_answers));
    for (std::size_t i = 0; i < best.size(); ++i) {
        const float share = said->now[best[i]];
        const std::string name = said_name(run, best[i]);
        const std::string number = with_decimals(static_cast<double>(share), 2);
        const std::string_view item =
            ui.items->format("experiment/answer %d %d", static_cast<int>(index), static_cast<int>(i));
        Box row = box.cut_top(line, ui.px(1));
        const Box track = box.cut_top(bar, gap), all{row.min, track.max};
        if (waits) {
            draw_waiting(ui, item, row, draw::Align::left);
            continue;
        }
        const FontRole font = i == 0 ? FontRole::body_bold : FontRole::body;
        const Box end = row.cut_right(draw::text_size(ui, number, font).x, ui.px(6));
        draw::text_told(ui, row, name, {font});
        draw::text_in(ui, end, number, {font, 0, draw::Align::right});
        ui.items->add(item, all, static_cast<double>(share), name);
        draw::bar(ui, track, share, ui.theme->attention_colour(0.6f), ui.theme->track);
    }
}

void draw_run_meanings(const Frame& run, std::size_t index, const Box& whole) {
    const Ui& ui = run.ui;
    const MeaningMap* const map = shown_map(run);
    if (!map) {
        draw::text_wrapped(ui, whole.min, whole.width(), tr("Neither sentence has a word with two meanings."),
                           {FontRole::small, ui.theme->text_muted});
        return;
    }
    Box box = whole, names = box.cut_top(ui.line(FontRole::small), ui.px(4));
    const std::span<const Sense> senses = shown_map_senses(run);
    for (int which = 0; which < 2; ++which) {
        const auto sense = static_cast<std::size_t>(map->first_sense + which);
        if (sense >= senses.size()) continue;
        const std::string& name = senses[sense].name;
        const Box dot = names.cut_left(ui.px(10), ui.px(4));
        ui.list()->AddCircleFilled(dot.centre(), ui.px(4), meaning_colour(*ui.theme, which));
        draw::text_told(ui, names.cut_left(draw::text_size(ui, name, FontRole::small).x + 1, ui.px(14)), name,
                        {FontRole::small, which == 0 ? ui.theme->sense_a_text : ui.theme->sense_b_text});
    }
    draw_meaning_cloud(run, box, static_cast<int>(map->layers.size()) - 1,
                       ui.items->format("experiment/%d ", static_cast<int>(index)));
}

}  // namespace glassformer::app
