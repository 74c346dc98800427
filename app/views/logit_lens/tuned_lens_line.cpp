#include "app/views/logit_lens/tuned_lens_line.h"

#include <algorithm>
#include <functional>

#include "app/common/lens_grid.h"
#include "app/language/sentences.h"
#include "app/language/tr.h"
#include "app/session/training_setup.h"
#include "app/session/tuned_lens_study.h"
#include "core/base/number_text.h"

namespace glassformer::app::views::logit_lens {

namespace {

constexpr float cancel_height = 22, bar_width = 120, bar_height = 8, segment_gap = 12, under = 6;  // pixels at 100 %

/// Why a card cannot be read through the lens of the current model and step; empty if it can.
std::string why_plain(const Frame& frame, int slot) {
    const Snapshot& snapshot = frame.snapshot;
    const WatchedSentence& sentence = frame.sentence(slot);
    if (sentence.model && sentence.model != snapshot.model)
        return tr(
            "The tuned lens is that of the model that is open; this card shows another one, through the plain "
            "lens.");
    if (sentence.step != snapshot.step)
        return tr(
            "The tuned lens is that of the step that is open; this card shows another one, through the plain "
            "lens.");
    if (sentence.original)
        return tr(
            "The model is altered here, but the tuned lens was trained for the unaltered one: this is the plain "
            "lens.");
    if (snapshot.state == RunState::training && snapshot.live)
        return tr(
            "A tuned lens belongs to one step: it is trained when the training of the model pauses. Until then "
            "this is the plain lens.");
    return {};
}

void tell_lens(const Frame& frame, const TunedLensShown& found, TunedLine& line) {
    line.lens = found.lens;
    line.text = filled(tr("Tuned lens of step {1}: KL to the model on held-out sentences, bits, plain → tuned"),
                       {grouped(found.step)});
    line.shorter = filled(tr("Tuned lens, step {1}: KL to the model in bits, plain → tuned"), {grouped(found.step)});
    line.brief = filled(tr("Tuned, step {1}: KL, bits"), {grouped(found.step)});
    line.told =
        filled(tr("Tuned lens (Belrose et al. 2023)\nBefore the final norm, the stream x after each layer goes through "
                  "its own affine map, x + x·A + b. The maps were trained at step {1}, on all words of {2} sentences "
                  "that the model's training draws ({4}), to bring the prediction of each layer as close as possible "
                  "to the model's final prediction. So a layer that uses a different basis from the last one is read "
                  "correctly. The KL divergence says how far each prediction is from the model's, on {3} held-out "
                  "sentences. The map of the training step that did best there was kept, so no layer is worse than "
                  "with the plain lens."),
               {grouped(found.step), grouped(found.learned), grouped(found.held_out), describe_drawing(found.drawing)});
    for (int layer = 0; layer < int_size(found.lens->maps); ++layer) {
        const TunedLens::Map& map = found.lens->maps[layer];
        line.layers.push_back(std::string(layer == 0 ? tr("embed") : lens_layer_name(frame, layer)) + " " +
                              with_decimals(map.plain, 2) + " → " + with_decimals(map.tuned, 2));
    }
}

/// Calls place(i, box) for the text of each layer, from left to right and wrapped; returns the bottom.
float place_layers(const Ui& ui, const TunedLine& line, ImVec2 from, float width,
                   const std::function<void(int, const Box&)>& place) {
    const float height = ui.line(FontRole::small);
    ImVec2 at = from;
    for (int i = 0; i < int_size(line.layers); ++i) {
        const float wide = draw::text_size(ui, line.layers[i], FontRole::small_bold).x;
        if (at.x > from.x && at.x + wide > from.x + width) at = {from.x, at.y + height};
        place(i, Box::sized(at, wide, height));
        at.x += wide + ui.px(segment_gap);
    }
    return at.y + (line.layers.empty() ? 0 : height);
}

void draw_progress(const Frame& frame, const TunedLine& line, int slot, Box row) {
    const Ui& ui = frame.ui;
    const ButtonStyle style{
        .tone = Tone::quiet, .font = FontRole::small, .tooltip = tr("Cancel\nThe plain lens is shown again.")};
    const float width = chip_width(ui, tr("Cancel"), style);
    if (button(ui, ui.items->of_card(slot, "tuned cancel"), row.cut_right(width, ui.px(8)), tr("Cancel"), style)) {
        frame.own<TunedLensState>().on = false;
        frame.send(command::TuneLens{false});
    }
    const Box bar = row.cut_left(std::min(ui.px(bar_width), row.width() / 3), ui.px(8));
    draw::bar(ui, Box::around(bar.centre(), bar.width() / 2, ui.px(bar_height) / 2), line.share, ui.theme->attention,
              ui.theme->track);
    draw::label(ui, row, line.text, {FontRole::small, ui.theme->text_muted},
                {ui.items->of_card(slot, "tuned"), item_state(static_cast<double>(line.share))});
}

}  // namespace

TunedLine tuned_line(const Frame& frame, int slot) {
    TunedLine line;
    TunedLensState& state = frame.own<TunedLensState>();
    if (!state.on || !frame.trace(slot)) return line;
    const TunedLensShown* found = frame.snapshot.tuned_lens.get();
    if (found && !found->why_not.empty()) {
        line.text = tr_full_sentence(found->why_not);
        return line;
    }
    line.text = why_plain(frame, slot);
    if (!line.text.empty()) return line;
    const bool of_this = found && found->parameters.lock() == frame.trace(slot)->parameters();
    if (of_this && found->lens) {
        tell_lens(frame, *found, line);
        return line;
    }
    line.share = of_this ? static_cast<float>(found->share) : 0.0f;
    line.text =
        filled(tr("Training the tuned lens: {1}"), {with_decimals(100 * static_cast<double>(line.share), 0) + " %"});
    frame.state.more_to_compute = true;
    if (!found && std::exchange(state.asked_at, frame.snapshot.number) != frame.snapshot.number)
        frame.send(command::TuneLens{});
    return line;
}

float tuned_line_height(const Ui& ui, const TunedLine& line, float width) {
    if (line.text.empty()) return 0;
    if (line.share >= 0) return ui.px(cancel_height + under);
    const float text =
        line.lens ? ui.line(FontRole::small) : draw::wrapped_height(ui, width, line.text, FontRole::small);
    return place_layers(ui, line, {0, text}, width, [](int, const Box&) {}) + ui.px(under);
}

void draw_tuned_line(const Frame& frame, const TunedLine& line, int slot, const Box& box) {
    const Ui& ui = frame.ui;
    if (line.text.empty()) return;
    if (line.share >= 0) return draw_progress(frame, line, slot, box.top(ui.px(cancel_height)));
    const draw::TextStyle muted{FontRole::small, ui.theme->text_muted};
    const draw::TextItem item{ui.items->of_card(slot, "tuned"), item_state(line.lens != nullptr), line.told};
    if (!line.lens) return void(draw::label_wrapped(ui, box.min, box.width(), line.text, muted, item));
    const float text = ui.line(FontRole::small);
    draw::label(ui, box.top(text),
                draw::first_fitting(ui, box.width(), {line.text, line.shorter, line.brief}, FontRole::small), muted,
                item);
    place_layers(ui, line, {box.min.x, box.min.y + text}, box.width(), [&](int layer, const Box& place) {
        const TunedLens::Map& map = line.lens->maps[layer];
        const std::string tip =
            filled(tr("After {1}: {2} bits with the plain lens, {3} tuned\nThe mean of Σ p log₂(p / q) over the words "
                      "of the held-out sentences: p is what the model predicts in the end, q what the lens reads "
                      "here. Step {4} of the training of this map was kept; 0 would be the plain lens."),
                   {std::string(lens_layer_name(frame, layer)), with_decimals(map.plain, 4),
                    with_decimals(map.tuned, 4), std::to_string(map.step)});
        draw::label(ui, place, line.layers[layer], {FontRole::small_bold},
                    {ui.items->of_card(slot, "tuned kl %d", layer), map.tuned, tip});
    });
}

float draw_tuned_switch(const Frame& frame, int slot, const Box& row) {
    const Ui& ui = frame.ui;
    TunedLensState& state = frame.own<TunedLensState>();
    const ButtonStyle style{.tone = Tone::quiet,
                            .selected = state.on,
                            .font = FontRole::small,
                            .tooltip = tr("Tuned lens\nReads each layer through a map of its own, which is trained "
                                          "here, in seconds, on the model's own world.")};
    const Box place = row.right(chip_width(ui, tr("Tuned"), style));
    if (button(ui, ui.items->of_card(slot, "lens tuned"), place, tr("Tuned"), style)) {
        state.on = !state.on;
        const TunedLensShown* found = frame.snapshot.tuned_lens.get();
        if (!state.on && found && !found->lens) frame.send(command::TuneLens{false});  // a finished lens stays
    }
    return place.min.x;
}

}  // namespace glassformer::app::views::logit_lens
