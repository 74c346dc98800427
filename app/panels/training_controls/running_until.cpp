#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <optional>

#include "app/common/metric_curves.h"
#include "app/language/tr.h"
#include "app/panels/setup/setup_state.h"
#include "app/panels/training_controls/running_controls.h"
#include "app/ui/input.h"
#include "app/ui/popup_card.h"
#include "core/base/number_text.h"

namespace glassformer::app {

namespace {

constexpr float until_width = 300, until_row_height = 36, field_width = 92, unit_width = 40;  // pixels at 100 %

/// Parses a typed number; nullopt if the field is empty. Sets `wrong` if it does not contain a number.
std::optional<double> typed_until(const std::string& text, bool& wrong) {
    if (text.find_first_not_of(' ') == std::string::npos) return std::nullopt;
    char* end = nullptr;
    const double value = std::strtod(text.c_str(), &end);
    while (end && *end == ' ') ++end;
    if (end == text.c_str() || *end != '\0' || !std::isfinite(value) || value < 0) {
        wrong = true;
        return std::nullopt;
    }
    return value;
}

void field(const Frame& frame, const Box& card, float& y, const char* label, std::string_view name, std::string& text,
           std::string_view unit, bool& entered) {
    const Ui& ui = frame.ui;
    const float right = card.max.x - ui.px(unit_width), left = right - ui.px(field_width);
    const Box row = card.between_y(y, y + ui.px(28)), typed = row.between_x(left, right);
    draw::text_in(ui, row.left_of(left - ui.px(6)), name);
    bool enter = false, wrong = false;
    text_field(ui, label, typed, text, "–", &enter, SelectAll::always);
    typed_until(text, wrong);
    if (wrong) draw::rounded_box(ui, typed, 0, ui.theme->danger, 6, 2);
    draw::text_in(ui, row.right_of(right + ui.px(6)), unit, {FontRole::small, ui.theme->text_muted});
    entered = entered || enter;
    y += ui.px(until_row_height);
}

/// Returns the condition on the world's metric.
std::string_view metric_name(const Ui& ui, const ModelInfo& model) {
    return ui.items->format(model.metric_is_share ? tr("%s at least") : tr("%s at most"), metric_label(model).c_str());
}

/// Returns what was typed as the worker's condition; nullopt if all fields are empty, or if `why` not.
std::optional<StopAt> wanted(const RunningState& s, const Snapshot& snapshot, std::string& why) {
    const auto typed = [&](const std::string& text) {
        bool wrong = false;
        const std::optional<double> value = typed_until(text, wrong);
        if (wrong && why.empty()) why = filled(tr("“{1}” is not a number, or is below 0."), {text});
        return value;
    };
    StopAt at{.loss = typed(s.loss), .metric = typed(s.metric), .seconds = typed(s.seconds)};
    if (at.metric && snapshot.model->metric_is_share) *at.metric /= 100.0;
    if (const std::optional<double> step = typed(s.step)) at.step = std::llround(std::min(*step, 1e12));
    if (why.empty() && at.step && *at.step <= snapshot.live_step)
        why = filled(tr("The training is already at step {1}."), {grouped(snapshot.live_step)});
    if (!why.empty() || !at.any()) return std::nullopt;
    return at;
}

void draw_until_card(const Frame& frame, const Box& card) {
    const Ui& ui = frame.ui;
    RunningState& s = frame.state.own<RunningState>();
    const ModelInfo& model = *frame.snapshot.model;
    float y = card.min.y;
    bool entered = false;
    draw::text(ui, {card.min.x, y}, tr("Train until any of these is reached"), {FontRole::body_bold});
    y += ui.line(FontRole::body_bold) + ui.px(8);
    field(frame, card, y, "until/loss", tr("loss at most"), s.loss, "", entered);
    const bool measured = !model.metric_name.empty();
    if (measured)
        field(frame, card, y, "until/metric", metric_name(ui, model), s.metric, model.metric_is_share ? "%" : "",
              entered);
    field(frame, card, y, "until/seconds", tr("time from now"), s.seconds, "s", entered);
    field(frame, card, y, "until/step", tr("step"), s.step, "", entered);
    std::string why;
    const std::optional<StopAt> at = wanted(s, frame.snapshot, why);
    const Box reason = Box::sized({card.min.x, y}, card.width(), ui.line(FontRole::small));
    if (!why.empty()) draw::label(ui, reason, why, {FontRole::small, ui.theme->danger}, {"until/why"});
    y = reason.max.y + ui.px(4);
    const ButtonStyle style{.tone = Tone::primary, .enabled = at.has_value()};
    ImVec2 place{card.min.x, y + ui.px(2)};
    const bool pressed = chip(ui, "until/train", place, ui.px(30), tr("Train until then"), style).clicked;
    if (at && (pressed || entered)) {
        frame.send(command::TrainUntil{*at});
        ImGui::CloseCurrentPopup();
    }
    if (chip(ui, "until/cancel", place, ui.px(30), tr("Cancel")) || key_pressed(Key::escape))
        ImGui::CloseCurrentPopup();
}

}  // namespace

void draw_until_card(const Frame& frame, bool asked, ImVec2 at) {
    if (asked) ImGui::OpenPopup("##until");
    if (!ImGui::IsPopupOpen("##until")) return;
    const Ui& ui = frame.ui;
    // As wide as the name of the world's metric requires.
    const float name = draw::text_size(ui, metric_name(ui, *frame.snapshot.model), FontRole::body).x;
    const float width = std::max(ui.px(until_width), name + ui.px(field_width + unit_width + 8));
    const float rows = frame.snapshot.model->metric_name.empty() ? 3 : 4;
    const float height = ui.line(FontRole::body_bold) + ui.px(8) + rows * ui.px(until_row_height) +
                         ui.line(FontRole::small) + ui.px(4) + ui.px(34);
    const PopupCard card(ui, "##until", at, {width, height}, PopupCard::Side::above);
    if (card) draw_until_card(frame, card.inside());
}

}  // namespace glassformer::app
