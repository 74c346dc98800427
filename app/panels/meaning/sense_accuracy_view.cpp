#include <algorithm>
#include <cmath>
#include <optional>

#include "app/common/provenance.h"
#include "app/language/sentences.h"
#include "app/language/tr.h"
#include "app/panels/meaning/error_by_length.h"
#include "app/panels/meaning/meaning_views.h"
#include "app/panels/meaning/measured_senses.h"
#include "app/ui/scroll_area.h"
#include "core/base/number_text.h"

namespace glassformer::app {

namespace {

constexpr float accuracy_padding = 16;  // pixels at 100 %

std::string_view layer_name(const Ui& ui, int layer) {
    return layer == 0 ? std::string_view(tr("embedding")) : ui.items->format(tr("block %d"), layer - 1);
}

/// Deeper layers get a deeper purple.
ImU32 layer_colour(const Theme& t, int layer, int layers) {
    const float depth = layers > 1 ? to_float(layer) / to_float(layers - 1) : 1.0f;
    return t.attention_colour(0.28f + 0.47f * depth);
}

/// Returns detail `i` before the model was altered; nullopt if it was not altered.
std::optional<double> detail_before(const Frame& frame, std::size_t i) {
    const Measured* before = frame.snapshot.unaltered.get();
    if (!before || i >= before->found.details.size()) return {};
    return before->found.details[i].second;
}

/// Formats a share as "97 %", or "–" if the model's numbers have diverged, and any other figure with three digits.
std::string_view figure(const Ui& ui, double value, bool share) {
    if (share && !std::isfinite(value)) return "–";
    if (share) return ui.items->format("%.0f %%", 100 * value);  // never broken at the blank
    return ui.items->format("%s", significant(value).c_str());
}

/// Draws a grey mark on a bar: where it ended before the model was altered.
void draw_before(const Ui& ui, const Box& box, double before) {
    const float x = std::round(std::lerp(box.min.x, box.max.x, to_float(std::clamp(before, 0.0, 1.0))));
    const float out = ui.px(2);
    ui.list()->AddRectFilled({x - ui.px(1), box.min.y - out}, {x + ui.px(1), box.max.y + out}, ui.theme->text_muted);
}

/// `before`: the value before the model was altered; nullopt if it was not.
void draw_accuracy_row(const Ui& ui, const Box& row, int layer, int layers, float accuracy,
                       std::optional<double> before, float name_width) {
    const Theme& t = *ui.theme;
    draw::text_in(ui, row.left(name_width), layer_name(ui, layer), {FontRole::small});
    const float number_width = draw::text_size(ui, "100 %", FontRole::small_bold).x + ui.px(8);
    const float half = std::min(ui.px(14), row.height() * 0.62f) / 2, middle = row.middle_y();
    const Box box{{row.min.x + name_width, middle - half}, {row.max.x - number_width, middle + half}};
    draw::bar(ui, box, accuracy, layer_colour(t, layer, layers), t.track);
    if (before) {
        draw_before(ui, box, *before);
        ui.items->addf(row, *before, "accuracy before %d", layer);
    }
    draw::text_in(ui, row.right_of(box.max.x), figure(ui, accuracy, true),
                  {FontRole::small_bold, 0, draw::Align::right});
    ui.items->addf(row, accuracy, "accuracy %d", layer);
}

/// Marks the chance level: a guess is right half of the time.
void draw_chance(const Ui& ui, const Box& rows, float name_width) {
    const float number_width = draw::text_size(ui, "100 %", FontRole::small_bold).x + ui.px(8);
    const float left = rows.min.x + name_width, right = rows.max.x - number_width;
    const float x = std::floor((left + right) / 2) + 0.5f;
    const ImVec2 points[] = {{x, rows.min.y}, {x, rows.max.y}};
    draw::dashed_line(ui, points, ui.theme->text_muted, ui.px(1), 2, 2);
    ui.items->add("accuracy chance", rows.between_x(x - ui.px(2), x + ui.px(2)), 0.5);
}

/// Returns the measurements of the model's own world before it was altered.
std::vector<float> accuracy_before(const Frame& frame) {
    std::vector<float> before;
    if (frame.snapshot.unaltered)
        for (const auto& [name, value] : frame.snapshot.unaltered->found.details) before.push_back(to_float(value));
    return before;
}

void explain_accuracy(const Frame& frame) {
    const Ui& ui = frame.ui;
    const int words = static_cast<int>(frame.snapshot.model->senses.size() / 2);
    draw::tooltip(
        ui, ui.items->format(
                tr("How it is measured\nFor each meaning, the mean direction (the centroid) of the word's residual "
                   "stream is computed over training sentences.\nThe test uses sentences from templates that training "
                   "never saw. A word is right when it is nearer to the centroid of its own meaning.\nGuessing gives "
                   "50 %% (dotted). The result covers the %d word with two meanings.%s",
                   "How it is measured\nFor each meaning, the mean direction (the centroid) of the word's residual "
                   "stream is computed over training sentences.\nThe test uses sentences from templates that training "
                   "never saw. A word is right when it is nearer to the centroid of its own meaning.\nGuessing gives "
                   "50 %% (dotted). The result covers all %d words with two meanings.%s",
                   words),
                words,
                frame.snapshot.unaltered ? tr("\nThe grey mark is where it was before the model was changed.") : ""));
}

// ---------------------------------------------------------------------------------------------- worlds without senses

/// Returns the width of the widest figure, so that none is clipped.
float figures_width(const Ui& ui, const Measurement& found, bool share) {
    float width = draw::text_size(ui, "100 %", FontRole::small_bold).x;
    for (const auto& [name, value] : found.details)
        width = std::max(width, draw::text_size(ui, figure(ui, value, share), FontRole::small_bold).x);
    return width + ui.px(8);
}

/// Returns the width of a share's bar: what the longest name leaves over.
float bars_width(const Ui& ui, const Measurement& found, float row, float number) {
    float name_width = 0;
    for (const auto& [name, value] : found.details)
        name_width = std::max(name_width, draw::text_size(ui, tr_sentence(name), FontRole::small).x);
    const float widest = std::min(ui.px(90), row * 0.3f);
    return std::clamp(row - number - ui.px(8) - name_width, widest / 2, widest);
}

/// `number` is the width of the column of figures, `bar` that of a bar (0: no bar); `before` as in draw_accuracy_row().
void draw_detail(const Ui& ui, const Box& row, int index, const std::pair<std::string, double>& detail,
                 std::optional<double> before, float bar, float number) {
    const Theme& t = *ui.theme;
    const bool share = bar > 0;
    const std::string name = tr_sentence(detail.first);
    const std::string_view text = figure(ui, detail.second, share);
    const Box named = row.left_of(row.max.x - number - bar - ui.px(6));
    if (draw::text_in(ui, named, name, {FontRole::small}) && draw::hovered(named)) draw::tooltip(ui, name);
    const float half = std::min(ui.px(12), row.height() * 0.6f) / 2, middle = row.middle_y();
    const Box box{{named.max.x + ui.px(6), middle - half}, {row.max.x - number, middle + half}};
    if (share) draw::bar(ui, box, to_float(std::clamp(detail.second, 0.0, 1.0)), t.attention_colour(0.6f), t.track);
    if (share && before) draw_before(ui, box, *before);
    if (before && draw::hovered(row))
        draw::tooltip(
            ui, ui.items->format(tr("%s %.*s\nIt was %s before the model was changed."), name.c_str(), int_size(text),
                                 text.data(), std::string(figure(ui, *before, share)).c_str()));
    const bool lost = draw::text_in(ui, row.right(number), text, {FontRole::small_bold, 0, draw::Align::right});
    ui.items->add(ui.items->format("metric detail %d", index), row, detail.second, detail.first);
    if (lost) ui.items->add("metric cut", row);
}

/// Draws the metric's name, its value, coloured once it reaches the level at which the world counts as learned, and its
/// details by name.
void draw_metric(const Frame& frame, const Box& box) {
    const Ui& ui = frame.ui;
    const ModelInfo& model = *frame.snapshot.model;
    const float title = ui.line(FontRole::body_bold) + ui.px(3);
    float y = box.min.y;
    draw::text_in(ui, box.between_y(y, y + title), tr("How well has it learned?"), {FontRole::body_bold});
    if (!frame.snapshot.measured) {
        const std::string_view why =
            !model.has_training
                ? tr("Nothing to measure: this model was not trained here, and no held-out data came with it. Open a "
                     "model that was trained here, or start a new run.")
            : model.world.empty() ? tr("Nothing to measure: this model has no world.")
                                  : tr("Nothing to measure: this model's inputs or outputs do not fit its world.");
        draw::label_wrapped(ui, {box.min.x, y + title}, box.width(), why, {FontRole::small, ui.theme->text_muted},
                            {"metric/why not"});
        return;
    }
    const Measurement& found = frame.snapshot.measured->found;
    const bool share = model.metric_is_share;
    const std::string_view value = figure(ui, found.value, share), level = figure(ui, model.metric_level, share);
    const float width = draw::text_size(ui, value, FontRole::body_bold).x;
    const bool reached = share ? found.value >= model.metric_level : found.value <= model.metric_level;
    draw::text_in(ui, {{box.max.x - width, y}, {box.max.x + 1, y + title}}, value,
                  {FontRole::body_bold, reached ? ui.theme->good_text : ui.theme->text});
    ui.items->add("metric", {{box.max.x - width, y}, {box.max.x, y + title}}, found.value, model.metric_name);
    y += title;
    const Measured* before = frame.snapshot.unaltered.get();
    if (before) ui.items->add("metric before", {{box.max.x - width, y - title}, {box.max.x, y}}, before->found.value);
    const std::string_view name =
        before
            ? ui.items->format(tr("%s; it was %s before the model was changed"), tr_sentence(model.metric_name).c_str(),
                               std::string(figure(ui, before->found.value, share)).c_str())
            : ui.items->format(share ? tr("%s; goal: at least %.*s") : tr("%s; goal: below %.*s"),
                               tr_sentence(model.metric_name).c_str(), int_size(level), level.data());
    y += draw::text_wrapped(ui, {box.min.x, y}, box.width(), name, {FontRole::small, ui.theme->text_muted}) + ui.px(5);
    const float row = ui.line(FontRole::small) + ui.px(4);
    const std::vector<ErrorCurve> curves = error_curves(found);
    const float plot = curves.empty() ? 0 : error_plot_height(ui, curves.size());
    const ScrollArea area(ui, "##metric", box.below(y), plot + row * to_float(found.details.size()));
    Box at{area.content().min, {area.content().max.x, area.content().min.y + row}};
    if (plot > 0) {
        draw_error_plot(ui, curves, at.top(plot));
        at.min.y += plot, at.max.y += plot;
    }
    const float number = figures_width(ui, found, share);
    const float bar = share ? bars_width(ui, found, at.width(), number) : 0;
    for (int i = 0; i < int_size(found.details); ++i) {
        const std::size_t detail = i;
        draw_detail(ui, at, i, found.details[detail], detail_before(frame, detail), bar, number);
        at.min.y += row, at.max.y += row;
    }
    cover_unless_of_shown(frame, box, frame.snapshot.measured->of);
}

}  // namespace

bool draw_accuracy_bars(const Frame& frame, const Box& box, std::span<const float> accuracy,
                        std::span<const float> before, const MeasuredOf* of) {
    const Ui& ui = frame.ui;
    const int layers = int_size(accuracy);
    const float least = ui.line(FontRole::small) + ui.px(4);
    const float row = std::clamp(box.height() / to_float(layers), least, least + ui.px(12));
    const ScrollArea area(ui, "##accuracy", box, row * to_float(layers));
    const float name_width = std::max(draw::text_size(ui, tr("embedding"), FontRole::small).x,
                                      draw::text_size(ui, tr("block 10"), FontRole::small).x) +
                             ui.px(14);
    Box at{area.content().min, {area.content().max.x, area.content().min.y + row}};
    for (int layer = 0; layer < layers; ++layer) {
        const std::size_t l = layer;
        draw_accuracy_row(ui, at, layer, layers, accuracy[l],
                          l < before.size() ? std::optional(static_cast<double>(before[l])) : std::nullopt, name_width);
        at.min.y += row;
        at.max.y += row;
    }
    draw_chance(ui, {area.content().min, {area.content().max.x, at.min.y}}, name_width);
    if (of) cover_unless_of_shown(frame, box, *of);
    return draw::hovered(area.content());
}

void draw_sense_accuracy(const Frame& frame, const Box& box) {
    const Ui& ui = frame.ui;
    draw::card(ui, box);
    const float pad = ui.px(accuracy_padding), left = box.min.x + pad, right = box.max.x - pad;
    float y = box.min.y + ui.px(10);
    const bool own = !frame.snapshot.model->senses.empty();
    if (!own && !offers_senses(frame)) return draw_metric(frame, {{left, y}, {right, box.max.y - ui.px(8)}});
    const float title = ui.line(FontRole::body_bold) + ui.px(3), subtitle = ui.line(FontRole::small);
    draw::text_in(ui, {{left, y}, {right, y + title}}, tr("Can a layer tell two meanings apart?"),
                  {FontRole::body_bold});
    y += title;
    draw::text_in(ui, {{left, y}, {right, y + subtitle}}, tr("nearest-centroid accuracy, held-out sentences"),
                  {FontRole::small, ui.theme->text_muted});
    y += subtitle + ui.px(7);
    const Box bars{{left, y}, {right, box.max.y - ui.px(8)}};
    if (!own) return draw_measured_senses(frame, bars);
    if (!frame.snapshot.probe || frame.snapshot.probe->accuracy.empty()) {
        draw::text_wrapped(ui, bars.min, bars.width(), tr("Not measured yet."),
                           {FontRole::small, ui.theme->text_muted});
        return;
    }
    const bool over_title = draw::hovered(box);
    const MeasuredOf* of = frame.snapshot.measured ? &frame.snapshot.measured->of : nullptr;
    const bool over_bars = draw_accuracy_bars(frame, bars, frame.snapshot.probe->accuracy, accuracy_before(frame), of);
    if (over_title || over_bars) explain_accuracy(frame);
}

}  // namespace glassformer::app
