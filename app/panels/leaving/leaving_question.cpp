#include "app/panels/leaving/leaving_question.h"

#include <array>
#include <utility>

#include "app/language/tr.h"
#include "app/panels/leaving/question_card.h"
#include "app/panels/leaving/saving.h"
#include "app/ui/number_text.h"

namespace glassformer::app {

namespace {

/// That would be lost: who opens something else leaves what is set aside where it is.
std::vector<const RunInfo*> asked_about(const Leaving& leaving, const Snapshot& snapshot) {
    return unsaved_runs(snapshot, leaving.close);
}

std::string question(const std::vector<const RunInfo*>& runs) {
    if (runs.size() != 1)
        return filled(tr("The training of {1} runs has not been saved. It will be lost."),
                      {std::to_string(runs.size())});
    return filled(tr("The training since step {1} has not been saved. It will be lost."),
                  {grouped(runs.front()->saved_step)});
}

/// What was waited for, once nothing stands against it.
void go_on(const Frame& frame) {
    Leaving& leaving = frame.state.own<Leaving>();
    if (leaving.close) return;  // the window looks for itself
    if (leaving.then) frame.send(*std::exchange(leaving.then, std::nullopt));
    leaving = {};
}

constexpr std::array<Answer, 3> answers{
    {{"leaving/save", N_("Save…"), N_("Save it in a folder, then continue"), Tone::primary},
     {"leaving/drop", N_("Don't save"), N_("Continue without saving"), Tone::danger},
     {"leaving/cancel", N_("Cancel")}}};

}  // namespace

std::vector<const RunInfo*> unsaved_runs(const Snapshot& snapshot, bool aside) {
    std::vector<const RunInfo*> runs;
    for (const auto* list : {&snapshot.runs, &snapshot.set_aside}) {
        if (list == &snapshot.set_aside && !aside) continue;
        for (const auto& run : *list)
            if (run->unsaved && run->folder.empty()) runs.push_back(run.get());
    }
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
    // Nothing was saved: the person changed their mind, or it failed and the error says why.
    if (leaving.saving && !leaving.ready && !frame.state.window.palette.open &&
        frame.state.own<Saving>().folder.empty())
        leaving = {};
    if (!leaving.asking) return;
    const std::vector<const RunInfo*> runs = asked_about(leaving, frame.snapshot);
    const std::string text = question(runs);
    const auto unsaved = static_cast<double>(runs.size());
    switch (draw_question(frame, window, {"leaving", unsaved, text, answers})) {
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

}  // namespace glassformer::app
