#include <algorithm>
#include <cmath>
#include <vector>

#include "app/language/sentences.h"
#include "app/language/tr.h"
#include "app/panels/setup/setup_sections.h"
#include "app/panels/setup/setup_state.h"
#include "app/ui/opaque_fill.h"
#include "core/base/number_text.h"

namespace glassformer::app {

namespace {

constexpr float button_height = 34, pad = 12;  // pixels at 100 %

/// Draws a number with its name above it. Returns the width taken.
float setup_figure(const Ui& ui, ImVec2 at, std::string_view label, std::string_view name, std::string_view shown,
                   std::optional<double> value) {
    const float small = ui.line(FontRole::small), line = ui.line(FontRole::body_bold);
    const float width = std::max(
        {draw::text_size(ui, name, FontRole::small).x, draw::text_size(ui, shown, FontRole::body_bold).x, ui.px(64)});
    draw::text(ui, at, name, {FontRole::small, ui.theme->text_muted});
    draw::text(ui, {at.x, at.y + small + ui.px(2)}, shown, {FontRole::body_bold});
    ui.items->add(label, {at, {at.x + width, at.y + small + ui.px(2) + line}}, value, shown);
    return std::ceil(width) + ui.px(22);
}

float draw_figures(const Frame& frame, ImVec2 at) {
    const Ui& ui = frame.ui;
    const float left = at.x;
    const SetupPreview* p = answer_for(frame);
    const bool good = p && p->refusal.empty();
    const auto steps = static_cast<double>(frame.state.own<SetupState>().setup.options.schedule.total);
    const std::string count = good ? grouped(p->parameter_count) : "–";
    const bool timed = good && p->step_seconds > 0;
    const std::string one = timed ? duration(p->step_seconds) : "–",
                      all = timed ? "≈ " + duration(p->step_seconds * steps) : "–";
    const auto known = [&](bool is, double value) { return is ? std::optional(value) : std::nullopt; };
    at.x += setup_figure(ui, at, "setup/parameters", tr("parameters"), count,
                         known(good, good ? static_cast<double>(p->parameter_count) : 0));
    const float x = at.x;
    at.x += setup_figure(ui, at, "setup/step time", tr("one step"), one, known(timed, timed ? p->step_seconds : 0));
    at.x += setup_figure(ui, at, "setup/time", tr("all steps"), all, known(timed, timed ? p->step_seconds * steps : 0));
    if (good && !timed && draw::hovered({{x, at.y}, {at.x, at.y + ui.px(34)}}))
        draw::tooltip(ui, tr("Not measured\nA step can be measured only while no training runs."));
    return at.x - left;
}

void draw_presets(const Frame& frame, const Box& box) {
    const Ui& ui = frame.ui;
    std::vector<std::string_view> names;
    for (const SetupPreset& preset : setup_presets()) names.push_back(preset.name);
    if (frame.state.own<LastSetup>().setup) names.push_back(N_("last used"));
    const int now = frame.state.own<SetupState>().preset;
    const std::string_view shown = now >= 0 && now < int_size(names) ? names[now] : std::string_view(N_("Presets"));
    const int chosen = dropdown(ui, "setup/presets", box, shown, names, now);
    if (now >= 0 && now < int_size(setup_presets()) && draw::hovered(box)) {
        const SetupPreset& preset = setup_presets()[now];
        draw::tip(ui, box, std::string(tr(preset.name)) + "\n" + std::string(tr(preset.meaning)));
    }
    if (chosen >= 0) choose_preset(frame, chosen);
}

void start(const Frame& frame, bool train) {
    SetupState& s = frame.state.own<SetupState>();
    frame.send(command::NewRun{s.setup, "", train});
    frame.state.own<LastSetup>().setup = s.setup;
    s.open = false;
}

/// Draws Start, and the same without training. Returns the left end of the buttons.
float draw_setup_buttons(const Frame& frame, const Box& box) {
    const Ui& ui = frame.ui;
    const SetupPreview* p = answer_for(frame);
    ButtonStyle primary, plain;
    primary.tone = Tone::primary;
    primary.font = FontRole::body_bold;
    primary.icon = draw::Icon::play;
    primary.enabled = plain.enabled = p && p->refusal.empty();
    primary.tooltip = tr("Create the model and train it");
    plain.tooltip = tr("Create the model, untrained. T trains it.");
    const float y = std::round((box.min.y + box.max.y - ui.px(button_height)) / 2), bottom = y + ui.px(button_height);
    const float one = chip_width(ui, tr("Start"), primary) + ui.px(14), two = chip_width(ui, tr("Create only"), plain);
    const float x = box.max.x - one, x2 = x - ui.px(8) - two;
    if (button(ui, "setup/start", {{x, y}, {box.max.x, bottom}}, tr("Start"), primary)) start(frame, true);
    if (button(ui, "setup/look first", {{x2, y}, {x2 + two, bottom}}, tr("Create only"), plain)) start(frame, false);
    return x2;
}

float refusal_height(const Frame& frame, float width) {
    const SetupPreview* p = answer_for(frame);
    if (!p || p->refusal.empty()) return 0;
    const Ui& ui = frame.ui;
    return draw::wrapped_height(ui, width, tr_sentence(p->refusal)) + ui.px(8);
}

}  // namespace

float setup_foot_height(const Frame& frame, float width) {
    const Ui& ui = frame.ui;
    const float row = ui.px(button_height) + 2 * ui.px(pad);
    const bool one_row = width >= ui.px(760);
    return row + (one_row ? 0 : ui.px(button_height + 8)) + refusal_height(frame, width - 2 * ui.px(12));
}

void draw_setup_foot(const Frame& frame, const Box& box) {
    const Ui& ui = frame.ui;
    draw::opaque_fill(ui, box, ui.theme->card);
    draw::horizontal_line(ui, box.min.x, box.max.x, box.min.y, ui.theme->card_border);
    const float side = ui.px(12), refused = refusal_height(frame, box.width() - 2 * side);
    const SetupPreview* p = answer_for(frame);
    if (refused > 0) {
        const ImVec2 at{box.min.x + side, box.min.y + ui.px(10)};
        const std::string why = tr_sentence(p->refusal);
        draw::text_wrapped(ui, at, box.width() - 2 * side, why, {FontRole::body, ui.theme->danger_text});
        ui.items->add("setup/refusal", {at, {box.max.x - side, at.y + refused}}, std::nullopt, why);
    }
    const float row = ui.px(button_height) + 2 * ui.px(pad);
    Box line{{box.min.x + side, box.max.y - row}, {box.max.x - side, box.max.y}};
    const float left = draw_setup_buttons(frame, line);
    const bool one_row = box.width() >= ui.px(760);
    if (!one_row) line = line.between_y(box.min.y + refused + ui.px(4), line.min.y + ui.px(8));
    const float high = ui.line(FontRole::small) + ui.px(2) + ui.line(FontRole::body_bold);
    const float taken = draw_figures(frame, {line.min.x, std::round((line.min.y + line.max.y - high) / 2)});
    const float y = box.max.y - row + ui.px(pad);
    const float x = one_row ? line.min.x + taken : line.min.x, most = left - ui.px(12);
    draw_presets(frame, {{x, y}, {std::min(most, x + ui.px(220)), y + ui.px(button_height)}});
}

}  // namespace glassformer::app
