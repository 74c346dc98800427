#include <algorithm>

#include "app/language/sentences.h"
#include "app/language/tr.h"
#include "app/panels/meaning/meaning_views.h"
#include "app/panels/meaning/measured_senses.h"
#include "app/ui/scroll_area.h"

namespace glassformer::app {

namespace {

constexpr float measure_height = 28, measure_gap = 6;  // pixels at 100 %

void draw_progress(const Frame& frame, const Box& box, MeasuredSensesPanel& panel) {
    const Ui& ui = frame.ui;
    const Theme& t = *ui.theme;
    const RunningSenses::State state = panel.running->state();
    frame.state.more_to_compute = true;
    const float line = ui.line(FontRole::small);
    const std::string text =
        state.done == 0
            ? std::string(tr("reading the sentences …"))
            : filled(tr("{1} of {2} sentences · about {3} left"),
                     {std::to_string(state.done), std::to_string(state.all), rough_duration(state.seconds_left)});
    const float cancel = chip_width(ui, tr("Cancel")), right = box.max.x - cancel - ui.px(12);
    draw::label(ui, {box.min, {right, box.min.y + line}}, text, {FontRole::small, t.text_muted},
                {"senses/progress", item_state(state.done)});
    const float y = box.min.y + line + ui.px(4);
    const float part = to_float(state.done) / to_float(std::max<std::size_t>(1, state.all));
    draw::bar(ui, {{box.min.x, y}, {right, y + ui.px(6)}}, part, t.attention_colour(0.6f), t.track);
    ImVec2 at{box.max.x - cancel, box.min.y};
    if (chip(ui, "senses/cancel", at, ui.px(measure_height), tr("Cancel"))) panel.running->stop();
}

/// Returns the y below the button.
float draw_button(const Frame& frame, ImVec2 at) {
    const bool altered = !frame.snapshot.shown.changes.empty();
    const std::string tip = filled(tr("The model reads about 480 sentences of the homonyms world in the background. A "
                                      "laptop with two cores takes about {1}."),
                                   {rough_duration(guessed_seconds(*frame.snapshot.model))});
    const ButtonStyle style{.tone = Tone::primary, .enabled = frame.trace(0) != nullptr, .tooltip = tip};
    if (chip(frame.ui, "senses/measure", at, frame.ui.px(measure_height),
             altered ? tr("Measure the altered model") : tr("Measure on this model"), style))
        start_measuring_senses(frame);
    return at.y + frame.ui.px(measure_height + measure_gap);
}

void draw_offer(const Frame& frame, const Box& box, const std::string& error) {
    const Ui& ui = frame.ui;
    const Theme& t = *ui.theme;
    const std::string text =
        !error.empty() ? tr_sentence(error)
                       : filled(tr("Not measured yet. The model will read about 480 sentences with bat, bank, spring "
                                   "and other homonyms; this takes about {1} on a small laptop."),
                                {rough_duration(guessed_seconds(*frame.snapshot.model))});
    const float height = draw::wrapped_height(ui, box.width(), text, FontRole::small);
    const ScrollArea area(ui, "##senses", box, height + ui.px(measure_height + measure_gap));
    const Box& in = area.content();
    const float y = draw_button(frame, in.min);  // first: in a low card the text is reached by scrolling
    draw::text_wrapped(ui, {in.min.x, y}, in.width(), text,
                       {FontRole::small, error.empty() ? t.text_muted : t.danger_text});
    ui.items->add("senses/cost", in.between_y(y, y + height), guessed_seconds(*frame.snapshot.model), text);
}

void explain_measured(const Frame& frame, const MeasuredSenses& found) {
    std::string text =
        filled(tr("How it is measured\nThe sentences are those of the homonyms world, split by the model's own "
                  "tokenizer. For each meaning, the mean direction (the centroid) of the word's residual stream is "
                  "computed over {1} sentences; {2} sentences from other templates are the test. A word is right when "
                  "it is nearer to the centroid of its own meaning.\nGuessing gives 50 % (dotted)."),
               {std::to_string(found.learned), std::to_string(found.tested)});
    if (!found.in_pieces.empty())
        text += filled(tr("\nFor words of several tokens, their mean is taken: {1}."), {listed(found.in_pieces)});
    if (!found.unknown.empty())
        text += filled(tr("\nLeft out, because the tokenizer does not know them: {1}."), {listed(found.unknown)});
    draw::tooltip(frame.ui, text);
}

}  // namespace

void draw_measured_senses(const Frame& frame, const Box& box) {
    const MeasuredSensesPanel::Found* found = measured_senses(frame);  // first: it takes over results that are ready
    MeasuredSensesPanel& panel = frame.own<MeasuredSensesPanel>();
    if (panel.running) return draw_progress(frame, box, panel);
    if (!found || !panel.error.empty()) return draw_offer(frame, box, panel.error);
    Box bars = box;
    if (!frame.snapshot.of_shown(found->of)) bars.min.y = draw_button(frame, box.min);
    const bool altered = !found->of.changes.empty() && panel.plain;
    const std::span<const float> before =
        altered ? std::span<const float>(panel.plain->senses->accuracy) : std::span<const float>();
    if (draw_accuracy_bars(frame, bars, found->senses->accuracy, before, &found->of))
        explain_measured(frame, *found->senses);
}

float draw_map_words(const Frame& frame, const Box& box) {
    if (!offers_senses(frame)) return box.max.x;
    const MeasuredSensesPanel::Found* found = measured_senses(frame);
    if (!found || found->senses->maps.size() < 2) return box.max.x;
    const Ui& ui = frame.ui;
    std::vector<std::string_view> words;
    float widest = 0;
    int shown = 0;
    for (const MeaningMap& map : found->senses->maps) {
        if (&map == shown_map(frame)) shown = int_size(words);
        words.push_back(map.homonym);
        widest = std::max(widest, draw::text_size(ui, map.homonym, FontRole::body).x);
    }
    const float left = box.max.x - widest - ui.px(44);
    const int chosen = dropdown(ui, "meaning word", box.right_of(left), words[shown], words, shown, words);
    if (chosen >= 0) frame.own<MeasuredSensesPanel>().word = chosen;
    return left - ui.px(8);
}

}  // namespace glassformer::app
