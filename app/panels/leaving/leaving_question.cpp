#include "app/panels/leaving/leaving_question.h"

#include <algorithm>
#include <cfloat>
#include <cmath>
#include <utility>

#include "app/common/palette_state.h"
#include "app/panels/leaving/saving.h"
#include "app/ui/input.h"
#include "app/ui/number_text.h"

namespace glassformer::app {

namespace {

constexpr float widest = 440, button_height = 32, padding = 18;  // pixels at 100 %

float wrapped_height(const Ui& ui, float width, std::string_view text) {
    const ImFont* font = (*ui.fonts)[FontRole::body];
    const float lines = font->CalcTextSizeA(font->FontSize, FLT_MAX, width, text.data(), text.data() + text.size()).y;
    return std::round(lines / font->FontSize) * std::round(font->FontSize * 1.22f);  // as draw::text_wrapped
}

std::string question(const Snapshot& snapshot) {
    const std::vector<const RunInfo*> runs = unsaved_runs(snapshot);
    if (runs.size() != 1)
        return "The training of " + std::to_string(runs.size()) + " runs is not saved; it would be gone.";
    return "The training since step " + grouped(runs.front()->saved_step) + " is not saved; it would be gone.";
}

/// What was waited for, once nothing stands against it.
void go_on(const Frame& frame) {
    Leaving& leaving = frame.state.own<Leaving>();
    if (leaving.close) return;  // the window looks for itself
    if (leaving.then) frame.send(*std::exchange(leaving.then, std::nullopt));
    leaving = {};
}

void draw_card(const Frame& frame, const Box& card, const std::string& text) {
    const Ui& ui = frame.ui;
    Leaving& leaving = frame.state.own<Leaving>();
    const float pad = ui.px(padding);
    draw::card(ui, card.min, card.max);
    ui.items->add("leaving", card.min, card.max, static_cast<double>(unsaved_runs(frame.snapshot).size()), text);
    draw::text_wrapped(ui, {card.min.x + pad, card.min.y + pad}, card.width() - 2 * pad, text);
    ImVec2 at{card.min.x + pad, card.max.y - pad - ui.px(button_height)};
    ButtonStyle primary, danger;
    primary.tone = Tone::primary;
    primary.tooltip = "Keep it in a folder, then go on";
    danger.tone = Tone::danger;
    danger.tooltip = "Go on without it";
    if (chip(ui, "leaving/save", at, ui.px(button_height), "Save…", primary)) {
        leaving.asking = false;
        leaving.saving = true;
        ask_where_to_keep(frame);
    }
    if (chip(ui, "leaving/drop", at, ui.px(button_height), "Don't save", danger))
        leaving.asking = false, leaving.ready = true;
    if (chip(ui, "leaving/cancel", at, ui.px(button_height), "Cancel")) leaving = {};
}

}  // namespace

std::vector<const RunInfo*> unsaved_runs(const Snapshot& snapshot) {
    std::vector<const RunInfo*> runs;
    for (const auto& run : snapshot.runs)
        if (run->unsaved && run->folder.empty()) runs.push_back(run.get());
    return runs;
}

void leave_for(const Frame& frame, Command command) {
    leave_for(frame.state, frame.snapshot, frame.send, std::move(command));
}

void leave_for(ViewState& state, const Snapshot& snapshot, const std::function<void(Command)>& send, Command command) {
    if (unsaved_runs(snapshot).empty()) return send(std::move(command));
    state.own<Leaving>() = {.then = std::move(command), .asking = true};
}

bool may_close(ViewState& state, const Snapshot& snapshot) {
    if (state.own<Leaving>().close && state.own<Leaving>().ready) return true;
    if (unsaved_runs(snapshot).empty()) return true;
    if (!state.own<Leaving>().close) state.own<Leaving>() = {.close = true, .asking = true};
    return false;
}

bool leaving_keys(const Frame& frame) {
    if (!frame.state.own<Leaving>().asking) return false;
    Focus& focus = *frame.ui.focus;
    if (key_pressed(Key::escape)) frame.state.own<Leaving>() = {};
    if (key_pressed(Key::f6)) focus.move(shift_down() ? -1 : 1);
    if (focus.any() && (key_pressed(Key::enter) || key_pressed(Key::space))) focus.activate();
    return true;
}

void draw_leaving_question(const Frame& frame, const Box& window) {
    Leaving& leaving = frame.state.own<Leaving>();
    if (leaving.ready) go_on(frame);
    // Nothing was saved: the person changed their mind, or it failed and the error says why.
    if (leaving.saving && !leaving.ready && !frame.state.own<PaletteState>().open &&
        frame.state.own<Saving>().folder.empty())
        leaving = {};
    if (!leaving.asking) return;
    const Ui& ui = frame.ui;
    const std::string text = question(frame.snapshot);
    const float width = std::min(ui.px(widest), window.width() - ui.px(32)), pad = ui.px(padding);
    const float height = wrapped_height(ui, width - 2 * pad, text) + 3 * pad + ui.px(button_height);
    const ImVec2 min{std::round((window.min.x + window.max.x - width) / 2),
                     std::round(window.min.y + (window.height() - height) * 0.35f)};
    // Windows of their own, as for the help: nothing below gets the mouse.
    const ImGuiWindowFlags fixed = ImGuiWindowFlags_NoScrollbar | ImGuiWindowFlags_NoScrollWithMouse;
    ImGui::PushStyleVar(ImGuiStyleVar_WindowPadding, ImVec2(0, 0));
    ImGui::SetCursorScreenPos(window.min);
    ImGui::BeginChild("##leaving", {window.width(), window.height()}, false, fixed);
    ui.list()->AddRectFilled(window.min, window.max, ImGui::GetColorU32(ImGuiCol_ModalWindowDimBg));
    ImGui::SetCursorScreenPos(min);
    ImGui::BeginChild("##leaving card", {width, height}, false, fixed);
    draw_card(frame, {min, {min.x + width, min.y + height}}, text);
    ImGui::EndChild();
    ImGui::EndChild();
    ImGui::PopStyleVar();
}

}  // namespace glassformer::app
