#include <algorithm>
#include <array>
#include <cmath>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "app/common/glossary.h"
#include "app/language/sentences.h"
#include "app/language/tr.h"
#include "app/panels/timeline/timeline_drawing.h"
#include "app/ui/input.h"
#include "core/base/number_text.h"

namespace glassformer::app {

/// The seed that was asked for last, so that two quick clicks on + count twice.
struct SeedAsked {
    std::uint64_t seed = 0, at = 0;  // `at`: the snapshot on screen then
};

namespace {

constexpr float timeline_control_height = 28, control_gap = 10, row_gap = 8;  // pixels at 100 %
constexpr std::array<float, 3> control_widths = {104, 74, 118};               // learning rate, batch, seed
constexpr std::array<float, 16> rates = {1e-5f,  2e-5f, 5e-5f, 1e-4f, 2e-4f, 5e-4f, 0.001f, 0.002f,
                                         0.005f, 0.01f, 0.02f, 0.05f, 0.1f,  0.2f,  0.5f,   1.0f};
constexpr float largest_rate = 10;
constexpr std::array<float, 5> batches = {8, 16, 32, 64, 128};

/// Another learning rate than those of the list, while it is being typed.
struct RateTyping {
    bool open = false, begins = false;
    std::string text;
};

/// What a list offers: the usual values and, in its place, a current one that is none of them.
struct Choices {
    std::vector<float> values;
    std::vector<std::string_view> names;  // live for one frame
    int selected = 0;
};

Choices choices_of(const Ui& ui, std::span<const float> usual, float current) {
    Choices choices;
    choices.values.assign(usual.begin(), usual.end());
    const auto same = [&](float value) { return std::abs(value - current) < 1e-3f * value; };
    auto at = std::ranges::find_if(choices.values, same);
    if (at == choices.values.end())
        at = choices.values.insert(std::ranges::lower_bound(choices.values, current), current);
    choices.selected = static_cast<int>(at - choices.values.begin());
    for (const float value : choices.values)
        choices.names.push_back(ui.items->format("%s", typed_number(value).c_str()));
    return choices;
}

float caption_height(const Ui& ui) { return ui.line(FontRole::small) + ui.px(3); }

/// The name above a control, with the meaning of its term.
void caption(const Ui& ui, const Box& box, std::string_view text, std::string_view term) {
    const ImVec2 max{box.max.x, box.min.y + caption_height(ui)};
    draw::text_in(ui, {box.min, max}, text, {FontRole::small, ui.theme->text_muted});
    term_tip(ui, {box.min, max}, term);
}

Box below_caption(const Ui& ui, const Box& box) { return box.bottom(ui.px(timeline_control_height)); }

/// A rate above 0, at most 10; none where the text is something else.
std::optional<float> rate_of(const std::string& text) {
    const std::optional<float> rate = number_in_text(text);
    return rate && *rate > 0 && *rate <= largest_rate ? rate : std::nullopt;
}

/// In the place of the list, until Enter takes it, or Escape or a click elsewhere does not.
void draw_rate_typing(const Frame& frame, const Box& control) {
    const Ui& ui = frame.ui;
    RateTyping& typing = frame.own<RateTyping>();
    bool entered = false;
    if (std::exchange(typing.begins, false)) ui.focus->enter_field();
    text_field(ui, "learning rate/typed", control, typing.text, "0.003", &entered, SelectAll::always);
    const std::optional<float> rate = rate_of(typing.text);
    if (!rate && !typing.text.empty()) draw::tooltip(ui, control, tr("Above 0, at most 10"));
    if (entered && rate) frame.send(command::SetLearningRate{*rate});
    const bool elsewhere = ImGui::IsMouseClicked(ImGuiMouseButton_Left) && !draw::hovered(control);
    if ((entered && rate) || elsewhere || key_pressed(Key::escape)) typing = {};
}

void draw_learning_rate(const Frame& frame, const Box& box) {
    const Ui& ui = frame.ui;
    caption(ui, box, tr("learning rate"), "learning rate");
    const float rate = frame.snapshot.learning_rate;
    Choices choices = choices_of(ui, rates, rate);
    choices.names.push_back(N_("type…"));
    const Box control = below_caption(ui, box);
    RateTyping& typing = frame.own<RateTyping>();
    if (typing.open) return draw_rate_typing(frame, control);
    const std::string_view shown = choices.names[choices.selected];
    const int chosen = dropdown(ui, "learning rate", control, shown, choices.names, choices.selected);
    ui.items->add("learning rate", control, item_state(rate), shown);
    if (chosen == int_size(choices.values))
        typing = {true, true, std::string(shown)};
    else if (chosen >= 0)
        frame.send(command::SetLearningRate{choices.values[chosen]});
}

void draw_batch(const Frame& frame, const Box& box) {
    const Ui& ui = frame.ui;
    caption(ui, box, tr("batch"), "batch");
    const int batch = frame.snapshot.batch;
    const Choices choices = choices_of(ui, batches, to_float(batch));
    const Box control = below_caption(ui, box);
    const std::string_view shown = ui.items->format("%d", batch);
    const int chosen = dropdown(ui, "batch", control, shown, choices.names, choices.selected);
    ui.items->add("batch", control, item_state(batch), shown);
    if (chosen >= 0) frame.send(command::SetBatch{static_cast<int>(choices.values[chosen])});
}

void draw_seed(const Frame& frame, const Box& box) {
    const Ui& ui = frame.ui;
    ViewState& state = frame.state;
    caption(ui, box, tr("seed, next Reset"), "seed");
    const Box control = below_caption(ui, box);
    const std::uint64_t seed =
        state.own<SeedAsked>().at == frame.snapshot.number ? state.own<SeedAsked>().seed : frame.snapshot.seed;
    const float side = ui.px(timeline_control_height);
    ButtonStyle style{.tone = Tone::quiet};
    std::uint64_t wanted = seed;
    style.enabled = seed > 0;
    if (button(ui, "seed minus", control.left(side), "−", style)) --wanted;
    style.enabled = seed < UINT64_MAX;
    if (button(ui, "seed plus", control.right(side), "+", style)) ++wanted;
    const Box area = control.inset(side, 0);
    const std::string_view shown = ui.items->format("%llu", static_cast<unsigned long long>(seed));
    draw::label(ui, area, shown, {FontRole::body, 0, draw::Align::centre}, {"seed", item_state(seed)});
    term_tip(ui, area, "seed");
    if (wanted == seed) return;
    state.own<SeedAsked>().seed = wanted;
    state.own<SeedAsked>().at = frame.snapshot.number;
    frame.send(command::SetSeed{wanted});
}

}  // namespace

float training_controls_height(const Ui& ui, float width) {
    int rows = 1;
    float x = 0;
    for (const float w : control_widths) {
        if (x > 0 && x + ui.px(w) > width) {
            ++rows;
            x = 0;
        }
        x += ui.px(w) + ui.px(control_gap);
    }
    const float one = caption_height(ui) + ui.px(timeline_control_height);
    return to_float(rows) * one + to_float(rows - 1) * ui.px(row_gap);
}

float draw_training_controls(const Frame& frame, const Box& box) {
    const Ui& ui = frame.ui;
    const float one = caption_height(ui) + ui.px(timeline_control_height);
    const ModelInfo& model = *frame.snapshot.model;
    if (!model.trainable()) {
        const std::string_view why = ui.items->format(tr("Read-only. %s"), tr_sentence(model.why_not_trained).c_str());
        const Box line{box.min, {std::min(box.max.x, box.min.x + ui.px(322)), box.min.y + one}};
        ui.items->add("not trained", line, std::nullopt, why);
        draw::text_wrapped(ui, line.min, line.width(), why, {FontRole::small, ui.theme->text_muted});
        return training_controls_height(ui, box.width());
    }
    ImVec2 at = box.min;
    for (std::size_t i = 0; i < control_widths.size(); ++i) {
        const float width = ui.px(control_widths[i]);
        if (at.x > box.min.x && at.x + width > box.max.x) at = {box.min.x, at.y + one + ui.px(row_gap)};
        const Box control{at, {at.x + width, at.y + one}};
        if (i == 0) draw_learning_rate(frame, control);
        if (i == 1) draw_batch(frame, control);
        if (i == 2) draw_seed(frame, control);
        at.x += width + ui.px(control_gap);
    }
    return at.y + one - box.min.y;
}

}  // namespace glassformer::app
