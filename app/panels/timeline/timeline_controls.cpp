#include <algorithm>
#include <array>
#include <cmath>
#include <optional>
#include <string>
#include <utility>

#include "app/common/glossary.h"
#include "app/common/number_controls.h"
#include "app/language/sentences.h"
#include "app/language/tr.h"
#include "app/panels/timeline/timeline_drawing.h"
#include "app/ui/input.h"
#include "core/base/number_text.h"

namespace glassformer::app {

/// The seed requested last, so that two quick clicks on + count twice.
struct SeedAsked {
    std::uint64_t seed = 0, at = 0;  // `at`: the snapshot on screen at that time
};

namespace {

constexpr float timeline_control_height = 28, control_gap = 10, row_gap = 8;  // pixels at 100 %
constexpr std::array<float, 3> control_widths = {104, 74, 118};               // learning rate, batch, seed
constexpr std::array<float, 16> rates = {1e-5f,  2e-5f, 5e-5f, 1e-4f, 2e-4f, 5e-4f, 0.001f, 0.002f,
                                         0.005f, 0.01f, 0.02f, 0.05f, 0.1f,  0.2f,  0.5f,   1.0f};
constexpr float largest_rate = 10;
constexpr std::array<float, 5> batches = {8, 16, 32, 64, 128};

/// A learning rate outside the list, while it is being typed.
struct RateTyping {
    bool open = false, begins = false;
    std::string text;
};

float caption_height(const Ui& ui) { return ui.line(FontRole::small) + ui.px(3); }

/// Draws the name above a control; its tooltip explains the term.
void caption(const Ui& ui, const Box& box, std::string_view text, std::string_view term) {
    const ImVec2 max{box.max.x, box.min.y + caption_height(ui)};
    draw::text_in(ui, {box.min, max}, text, {FontRole::small, ui.theme->text_muted});
    term_tip(ui, {box.min, max}, term);
}

Box below_caption(const Ui& ui, const Box& box) { return box.bottom(ui.px(timeline_control_height)); }

/// Parses a rate above 0 and at most 10; nullopt for any other text.
std::optional<float> rate_of(const std::string& text) {
    const std::optional<float> rate = number_in_text(text);
    return rate && *rate > 0 && *rate <= largest_rate ? rate : std::nullopt;
}

/// Replaces the list while a rate is typed. Enter accepts it; Escape or a click elsewhere cancels.
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
    const Box control = below_caption(ui, box);
    RateTyping& typing = frame.own<RateTyping>();
    if (typing.open) return draw_rate_typing(frame, control);
    const std::optional<float> chosen = usual_numbers(ui, "learning rate", control, rates, rate, N_("type…"));
    if (chosen && std::isnan(*chosen))
        typing = {true, true, typed_number(rate)};
    else if (chosen)
        frame.send(command::SetLearningRate{*chosen});
}

void draw_batch(const Frame& frame, const Box& box) {
    const Ui& ui = frame.ui;
    caption(ui, box, tr("batch"), "batch");
    const float now = to_float(frame.snapshot.batch);
    if (const std::optional<float> chosen = usual_numbers(ui, "batch", below_caption(ui, box), batches, now))
        frame.send(command::SetBatch{static_cast<int>(*chosen)});
}

void draw_seed(const Frame& frame, const Box& box) {
    const Ui& ui = frame.ui;
    caption(ui, box, tr("next seed"), "seed");
    const Box control = below_caption(ui, box);
    SeedAsked& asked = frame.own<SeedAsked>();
    std::uint64_t seed = asked.at == frame.snapshot.number ? asked.seed : frame.snapshot.next_seed;
    term_tip(ui, control.inset(control.height(), 0), "seed");
    if (!seed_field(ui, "seed", control, seed)) return;
    asked = {seed, frame.snapshot.number};
    frame.send(command::SetSeed{seed});
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
