#include <algorithm>

#include "app/common/pattern_view.h"
#include "app/common/predict_first.h"
#include "app/common/text_size.h"
#include "app/common/what_if_changes.h"
#include "app/common/what_if_paint.h"
#include "app/desktop/layout.h"
#include "app/export/export_dialog.h"
#include "app/lessons/lesson_text.h"
#include "app/palette/palette.h"
#include "app/panels/experiment/experiment_state.h"
#include "app/panels/leaving/leaving_question.h"
#include "app/panels/model_check/model_check_panel.h"
#include "app/panels/runs/run_panel.h"
#include "app/panels/setup/setup_state.h"
#include "app/panels/setup/setup_view.h"
#include "app/panels/stages/stage_strip.h"
#include "app/panels/timeline/timeline_state.h"
#include "app/panels/training_controls/running_controls.h"
#include "app/ui/input.h"
#include "app/views/registry.h"

namespace glassformer::app {

namespace {

void size_keys(ViewState& state) {
    if (!ctrl_down()) return;
    if (key_pressed(Key::equal)) change_text_size(state, text_scale::step);
    if (key_pressed(Key::minus)) change_text_size(state, -text_scale::step);
    if (key_pressed(Key::d0)) reset_text_size(state);
}

void model_keys(const Frame& f) {
    ViewState& s = f.state;
    const int heads = f.model().config.n_heads;
    if (key_pressed(Key::up, true)) choose_layer(s, f.snapshot, s.layer - 1);
    if (key_pressed(Key::down, true)) choose_layer(s, f.snapshot, s.layer + 1);
    if (key_pressed(Key::left, true)) choose_head(s, f.snapshot, s.layer, (s.head + heads - 1) % heads);
    if (key_pressed(Key::right, true)) choose_head(s, f.snapshot, s.layer, (s.head + 1) % heads);
    if (key_pressed(Key::tab, true)) {
        const int count = std::max(1, static_cast<int>(f.sentence(s.slot).tokens.size()));
        choose_token(s, f.snapshot, s.slot, (s.token[s.slot] + (shift_down() ? count - 1 : 1)) % count);
    }
    if (key_pressed(Key::equal, true)) s.own<PatternViewState>().zoom_asked = 1;
    if (key_pressed(Key::minus, true)) s.own<PatternViewState>().zoom_asked = -1;
    if (key_pressed(Key::d0)) s.own<PatternViewState>().zoom_asked = 2;
    if (key_pressed(Key::a)) choose_token(s, f.snapshot, 0, s.token[0]);
    if (key_pressed(Key::b)) choose_token(s, f.snapshot, 1, s.token[1]);
    if (key_pressed(Key::x)) toggle_chosen_head(f);
    if (key_pressed(Key::r)) restore_model(f);
    // A presenter's clicker turns the pages of a lesson, if one is open.
    const bool lesson = s.window.lessons.open >= 0 || s.window.lessons.waits;
    const bool forward = key_pressed(Key::page_down), backward = key_pressed(Key::page_up);
    const bool stop = s.own<TimelineState>().film.playing && key_pressed(Key::space);
    if (stop) stop_film(s);
    if ((key_pressed(Key::space) && !stop) || (forward && !lesson)) step_stage(f, 1);
    if (backward && !lesson) step_stage(f, -1);
    if (lesson && (forward || backward))
        s.window.lessons.ask = forward ? LessonMenu::Ask::forward : LessonMenu::Ask::backward;
    if (key_pressed(Key::p) && !lesson) toggle_prediction(s);
    if (key_pressed(Key::t)) {
        if (f.snapshot.state == RunState::training)
            f.send(command::Pause{});
        else
            f.send(command::Train{});
    }
}

/// Handles the keys of the view on screen, unless something covers it. True if one was used.
bool view_keys(const Frame& f) {
    const View& view = chosen_view(f.state);
    const bool covered = f.ui.focus->covered() || f.state.own<RowPainting>().on;
    return view.keys && !covered && keys_are_commands() && !ctrl_down() && view.keys(f);
}

}  // namespace

void handle_keys(const Frame& f) {
    f.state.own<PatternViewState>().zoom_asked = 0;
    if (leaving_keys(f) || recovery_keys(f) || palette_keys(f)) return;
    size_keys(f.state);
    if (ctrl_down() && key_pressed(Key::n) && keys_are_commands() && !f.state.own<SetupState>().open) open_setup(f);
    Focus& focus = *f.ui.focus;
    if (key_pressed(Key::f6)) focus.move(shift_down() ? -1 : 1);
    panel_keys(f);
    if (key_pressed(Key::f5) || key_pressed(Key::f11)) f.state.presenter = !f.state.presenter;
    if (key_pressed(Key::f1)) f.state.window.help = !f.state.window.help;
    if (view_keys(f)) return;
    const bool exporting = f.state.own<ExportDialog>().open;  // it closes itself
    if (key_pressed(Key::escape) && keys_are_commands() && !exporting && !close_large_picture(f.state)) {
        if (f.state.window.help)
            f.state.window.help = false;
        else if (f.state.own<ModelCheckPanel>().open)
            f.state.own<ModelCheckPanel>().open = false;
        else if (f.state.window.lessons.course)
            f.state.window.lessons.course = false;
        else if (f.state.own<SetupState>().open)
            f.state.own<SetupState>().open = false;
        else if (f.state.own<ExperimentState>().open)
            f.state.own<ExperimentState>().open = false;
        else if (drop_draft(f.state))
            return;
        else if (f.state.own<RowPainting>().on)
            f.state.own<RowPainting>() = {};
        else if (focus.any())
            focus.clear();
        else if (close_run_card(f.state))
            return;
        else if (!explain_back(f.state)) {
            f.state.presenter = f.state.presenter && f.state.window.lessons.open >= 0;
            f.state.window.lessons.ask = LessonMenu::Ask::leave;
        }
    }
    if (!keys_are_commands() || ctrl_down()) return;
    if (focus.any()) {
        if (key_pressed(Key::enter) || key_pressed(Key::space)) focus.activate();
        return;
    }
    if (focus.covered() || painting_keys(f)) return;
    model_keys(f);
    running_keys(f);
    if (key_pressed(Key::backspace)) explain_back(f.state);
}

}  // namespace glassformer::app
