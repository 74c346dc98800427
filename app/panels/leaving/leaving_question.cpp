#include "app/panels/leaving/leaving_question.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <string>
#include <utility>

#include "app/language/tr.h"
#include "app/panels/leaving/saving.h"
#include "app/session/model_catalog.h"
#include "app/ui/input.h"
#include "app/ui/modal_card.h"
#include "core/base/number_text.h"

namespace glassformer::app {

namespace {

struct Answer {
    const char* label;  // the item
    std::string_view text, tooltip = {};
    Tone tone = Tone::plain;
};

struct Question {
    const char* label;      // the item
    ItemValue number = {};  // its value
    std::string_view text;
    std::span<const Answer> answers;
};

constexpr float question_width = 440, answer_height = 32, question_padding = 18;  // pixels at 100 %

int draw_card(const Frame& frame, const Box& card, const Question& question) {
    const Ui& ui = frame.ui;
    const float pad = ui.px(question_padding);
    draw::card(ui, card);
    ui.items->add(question.label, card, item_state(question.number), question.text);
    draw::text_wrapped(ui, {card.min.x + pad, card.min.y + pad}, card.width() - 2 * pad, question.text);
    ImVec2 at{card.min.x + pad, card.max.y - pad - ui.px(answer_height)};
    int clicked = -1;
    for (std::size_t i = 0; i < question.answers.size(); ++i) {
        const Answer& answer = question.answers[i];
        const ButtonStyle style{.tone = answer.tone, .tooltip = tr(answer.tooltip)};
        if (chip(ui, answer.label, at, ui.px(answer_height), tr(answer.text), style)) clicked = static_cast<int>(i);
    }
    return clicked;
}

/// Draws a question over everything and blocks the mouse below it. Returns the index of the clicked answer, or −1.
int draw_question(const Frame& frame, const Box& window, const Question& question) {
    const Ui& ui = frame.ui;
    const float width = std::min(ui.px(question_width), window.width() - ui.px(32)), pad = ui.px(question_padding);
    const float height = draw::wrapped_height(ui, width - 2 * pad, question.text) + 3 * pad + ui.px(answer_height);
    const ImVec2 min{std::round((window.min.x + window.max.x - width) / 2),
                     std::round(window.min.y + (window.height() - height) * 0.35f)};
    const Box card{min, {min.x + width, min.y + height}};
    const ModalCard over(ui, question.label, window, card, false);
    return draw_card(frame, card, question);
}

/// Handles the keyboard while a question is open; returns true if Esc closed it.
bool question_keys(const Frame& frame) {
    Focus& focus = *frame.ui.focus;
    if (key_pressed(Key::f6)) focus.move(shift_down() ? -1 : 1);
    if (focus.any() && (key_pressed(Key::enter) || key_pressed(Key::space))) focus.activate();
    return key_pressed(Key::escape);
}

std::string unsaved_question(const std::vector<const RunInfo*>& runs, bool comes_back) {
    if (runs.size() != 1)
        return filled(tr("{1} runs have unsaved training. It will be lost."), {std::to_string(runs.size())});
    return filled(comes_back ? tr("Training since step {1} has not been saved. Its model comes back at the next start, "
                                  "but without the state of its optimizer.")
                             : tr("Training since step {1} has not been saved. It will be lost."),
                  {grouped(runs.front()->saved_step)});
}

/// Carries out the pending action, now that nothing prevents it.
void go_on(const Frame& frame) {
    Leaving& leaving = frame.state.own<Leaving>();
    if (leaving.close) return;  // the window polls this itself
    if (leaving.then) frame.send(*std::exchange(leaving.then, std::nullopt));
    leaving = {};
}

constexpr std::array<Answer, 3> unsaved_answers{
    {{"leaving/save", N_("Save…"), N_("Save it in a folder, then continue"), Tone::primary},
     {"leaving/drop", N_("Don't save"), N_("Continue without saving"), Tone::danger},
     {"leaving/cancel", N_("Cancel")}}};

}  // namespace

std::vector<const RunInfo*> unsaved_runs(const Snapshot& snapshot, bool aside) {
    std::vector<const RunInfo*> runs;
    for (const auto* list : {&snapshot.runs, &snapshot.set_aside}) {
        if (list == &snapshot.set_aside && !aside) continue;
        for (const auto& run : *list)
            if (run->only_in_memory()) runs.push_back(run.get());
    }
    return runs;
}

std::vector<std::string> folders_behind(const Snapshot& snapshot) {
    std::vector<std::string> folders;
    for (const auto* list : {&snapshot.runs, &snapshot.set_aside})
        for (const auto& run : *list)
            if (run->unsaved && !run->folder.empty()) folders.push_back(run->folder);
    return folders;
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
    if (unsaved_runs(snapshot, true).empty()) return true;
    if (!state.own<Leaving>().close) state.own<Leaving>() = {.close = true, .asking = true};
    return false;
}

bool leaving_keys(const Frame& frame) {
    if (!frame.state.own<Leaving>().asking) return false;
    if (question_keys(frame)) frame.state.own<Leaving>() = {};
    return true;
}

void draw_leaving_question(const Frame& frame, const Box& window) {
    Leaving& leaving = frame.state.own<Leaving>();
    if (leaving.ready) go_on(frame);
    // Nothing was saved: either the user cancelled, or saving failed and the error says why.
    if (leaving.saving && !leaving.ready && !frame.state.window.palette.open &&
        frame.state.own<Saving>().folder.empty())
        leaving = {};
    if (!leaving.asking) return;
    // Opening something else does not lose runs that were set aside.
    const std::vector<const RunInfo*> runs = unsaved_runs(frame.snapshot, leaving.close);
    const bool comes_back = leaving.close && frame.state.window.keep_session && !frame.state.own<NothingLeft>().fails &&
                            runs.size() == 1 && runs.front()->id == frame.snapshot.run;
    const std::string text = unsaved_question(runs, comes_back);
    switch (draw_question(frame, window, {"leaving", runs.size(), text, unsaved_answers})) {
        case 0:
            leaving.asking = false;
            leaving.saving = true;
            return ask_where_to_keep(frame);
        case 1:
            leaving.asking = false, leaving.ready = true;
            return;
        case 2:
            leaving = {};
    }
}

namespace {

bool is_asked(const Frame& frame) {
    return !frame.snapshot.lost_runs.empty() && !frame.state.own<RecoveryQuestion>().later;
}

std::string recovery_question(const ModelCatalog& catalog, const std::vector<LostRun>& runs) {
    const LostRun& newest = runs.back();
    const std::string title(tr(title_of(catalog, newest.name)));
    if (runs.size() == 1)
        return filled(tr("The program ended before this training was saved: {1}, step {2}."),
                      {title, grouped(newest.step)});
    return filled(tr("The program ended before {1} runs were saved. The newest is {2}, step {3}."),
                  {std::to_string(runs.size()), title, grouped(newest.step)});
}

constexpr std::array<Answer, 3> recovery_answers{
    {{"recovery/open", N_("Open"), N_("Continue where it stopped"), Tone::primary},
     {"recovery/drop", N_("Discard"), N_("This training will be lost"), Tone::danger},
     {"recovery/later", N_("Later"), N_("Ask again at the next start")}}};

}  // namespace

bool recovery_keys(const Frame& frame) {
    if (!is_asked(frame)) return false;
    if (question_keys(frame)) frame.state.own<RecoveryQuestion>().later = true;
    return true;
}

void draw_recovery_question(const Frame& frame, const Box& window) {
    if (!is_asked(frame)) return;
    const std::vector<LostRun>& runs = frame.snapshot.lost_runs;
    const std::string text = recovery_question(*frame.snapshot.catalog, runs);
    const int answer = draw_question(frame, window, {"recovery", runs.size(), text, recovery_answers});
    if (answer < 0) return;
    frame.state.own<RecoveryQuestion>().later = true;  // it was answered
    if (answer == 0) frame.send(command::OpenLostRuns{});
    if (answer == 1) frame.send(command::RemoveLostRuns{});
}

}  // namespace glassformer::app
