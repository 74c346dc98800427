#include "app/desktop/app.h"

#include <chrono>

#include "app/common/card_scope.h"
#include "app/common/linked_cards.h"
#include "app/common/predict_first.h"
#include "app/common/stage_motion.h"
#include "app/common/what_if_changes.h"
#include "app/desktop/layout.h"
#include "app/export/export_dialog.h"
#include "app/palette/open_places.h"
#include "app/panels/experiment/experiment_page.h"
#include "app/panels/experiment/experiment_state.h"
#include "app/panels/leaving/saving.h"
#include "app/panels/runs/run_panel.h"
#include "app/panels/setup/setup_state.h"
#include "app/panels/setup/setup_view.h"
#include "app/panels/timeline/timeline_state.h"
#include "app/ui/heat_texture.h"
#include "app/ui/input.h"
#include "app/views/registry.h"
#include "core/base/error.h"
#include "core/platform/user_folders.h"

namespace glassformer::app {

namespace {

/// Why the weights behind a sentence can no longer be read; empty if they can.
std::string why_unreadable(const WatchedSentence& sentence) {
    if (!sentence.trace) return {};
    try {
        sentence.trace->parameters()->require_unchanged();
        return {};
    } catch (const Error& e) {
        return e.what();
    }
}

}  // namespace

std::shared_ptr<const Snapshot> ReadableSnapshot::of(std::shared_ptr<const Snapshot> newest) {
    if (newest == newest_) return without_;  // a file does not change back
    std::shared_ptr<Snapshot> without;
    for (std::size_t slot = 0; slot < newest->sentences.size(); ++slot) {
        const std::string why = why_unreadable(newest->sentences[slot]);
        if (why.empty()) continue;
        if (!without) without = std::make_shared<Snapshot>(*newest);
        without->sentences[slot].trace.reset();
        without->sentences[slot].error = why;
    }
    if (!without) return newest;
    newest_ = std::move(newest), without_ = std::move(without);
    return without_;
}

App::App(Session& session, const std::filesystem::path& lessons)
    : session_(session),
      snapshot_(session.snapshot()),
      lessons_(lessons),
      send_([&session](Command c) { session.send(std::move(c)); }) {
    state_.window.folder_dialog.there = platform::FileDialog::there();
    choose_first_view();
}

// Opens the run's saved view, or the head with most to see.
void App::choose_first_view() {
    for (std::size_t slot = 0; slot < 2; ++slot)
        state_.token[slot] = first_token(*snapshot_->model, snapshot_->sentences[slot]);
    settle(state_, *snapshot_);
    choose_strongest_head(state_, *snapshot_);
    const RunInfo* run = snapshot_->current_run();
    if (!run || !run->saved_view) return;
    state_.layer = run->saved_view->layer, state_.head = run->saved_view->head;
    settle(state_, *snapshot_);
}

void App::note_view() {
    const RunInfo* run = snapshot_->current_run();
    if (!run || (!run->unsaved && run->folder.empty())) return;
    const std::array<int, 3> now{run->id, state_.layer, state_.head};
    if (std::exchange(noted_, now) != now) send_(command::NoteView{state_.layer, state_.head});
}

void App::take_snapshot() {
    const std::shared_ptr<const Snapshot> last = snapshot_;
    const std::shared_ptr<const ModelInfo> before = last->model;
    snapshot_ = readable_.of(session_.snapshot());
    if (last != snapshot_ && snapshot_->model == before) carry_trail(state_, *last, *snapshot_);
    if (snapshot_->model != before) choose_first_view();
    // The meaning map shows the homonym of the current sentence.
    const WatchedSentence& sentence = snapshot_->sentences[state_.slot];
    if (snapshot_->model != before) meaning_shown_.clear();
    if (sentence.homonym_pos < 0) return;
    const std::string& word = sentence.tokens[sentence.homonym_pos].text;
    if (word == meaning_shown_) return;
    meaning_shown_ = word;
    if (!snapshot_->meaning || snapshot_->meaning->homonym != word) send_(command::ShowMeaning{word});
}

// Records what is on screen only once the worker has answered everything: a new sentence and the word chosen in it are
// one change.
void App::remember_view(bool settled) {
    if (history_of_ != snapshot_->model) history_.clear();
    history_of_ = snapshot_->model;
    if (std::exchange(lesson_scene_, lessons_.scenes()) != lessons_.scenes()) {
        lesson_history_.clear();  // it would undo changes to another step's text
        restoring_.reset();
    }
    if (!settled || !session_.settled() || state_.own<TimelineState>().film.playing ||
        state_.own<TimelineState>().recording.total > 0)
        return;  // a film is one change
    if (std::exchange(restoring_, std::nullopt))
        history().correct(moment_of(state_, *snapshot_));
    else
        history().record(moment_of(state_, *snapshot_), ImGui::GetTime());
    change_history();
}

/// Makes one step of undo or redo, if requested.
void App::change_history() {
    if (state_.window.undo.asked != 0) {
        restoring_ = state_.window.undo.asked < 0 ? history().undo() : history().redo();
        state_.window.undo.asked += state_.window.undo.asked < 0 ? 1 : -1;
        if (!restoring_) state_.window.undo.asked = 0;
    }
    state_.window.undo.can_undo = history().can_undo(), state_.window.undo.can_redo = history().can_redo();
    if (!restoring_) return;
    for (Command& command : commands_to(*restoring_, *snapshot_)) send_(std::move(command));
    state_.own<TravelState>().step = -1;
}

void App::draw(ImGuiHost& host) {
    const bool settled = session_.settled();  // checked before the snapshot is taken, which then shows everything sent
    take_snapshot();
    poll_lessons();
    if (settled) state_.own<WhatIfAsked>().changes.reset();
    if (settled) report_saving(state_, *snapshot_);
    if (settled && restoring_) restore(state_, *restoring_, *snapshot_);
    host.ui().reduce_motion = state_.reduce_motion;
    const bool computing = std::exchange(state_.more_to_compute, false);
    settle(state_, *snapshot_);
    host.set_theme(state_.theme);
    host.set_scale(state_.scale);
    host.set_stage_scale(state_.presenter ? Presenter::scale(state_, ImGui::GetIO().DisplaySize) : 0);
    for (const WatchedSentence& sentence : snapshot_->sentences)
        host.ui().heat->reside(sentence.trace, sentence.resident);
    const Frame frame{host.ui(), *snapshot_, state_, send_};
    follow_keyboard(frame);
    open_what_was_chosen(frame);
    update_prediction(frame);
    link_cards(frame);
    take_keys(frame);
    if (just_came()) lessons_.give_way(frame);
    lessons_.update(frame);
    play_film(frame);
    if (!state_.own<TimelineState>().recording.unseen) film_.update(frame, settled && !computing);
    advance_views(frame);
    settle(state_, *snapshot_);
    const ImVec2 size = ImGui::GetIO().DisplaySize;
    const std::string& in_sight = state_.window.item_in_sight;
    host.ui().reveal = in_sight.empty() ? lessons_.reveal() : std::string_view(in_sight);
    draw_window(frame, {{0, 0}, size});
    lessons_.keep_work(frame);
    hand_on(frame);
    author(frame);
    remember_view(settled);
    follow_links();
    show_handed_on();
    if (settled) note_view();
    covered_ = host.ui().focus->covered();
}

void App::draw_console(ImGuiHost& host, const StagePicture& stage) {
    const Frame frame{host.ui(), *snapshot_, state_, send_};
    const Box window{{0, 0}, ImGui::GetIO().DisplaySize};
    take_keys(frame);
    if (over_console_ && state_.own<SetupState>().open)
        draw_setup_page(frame, window);
    else
        presenter_.draw_console(frame, window, lessons_, stage);
    if (over_console_) {
        const CardScope scope(frame, state_.slot);
        draw_cards_over(frame, window, lessons_);
        draw_export_dialog(frame, window);
    }
    console_covered_ = host.ui().focus->covered();
    // A click outside a text field leaves it; in the picture of what is prepared, a click is the stage's own.
    const Item* picture = behind_cover() ? host.items().find("console/stage") : nullptr;
    const bool in_picture = picture && ImGui::IsMouseHoveringRect(picture->min, picture->max, false);
    leave_field_ = ImGui::IsMouseClicked(ImGuiMouseButton_Left) && !in_picture;
}

/// With two screens, what a key opens over the window opens on the screen with the keyboard and stays there: the
/// audience need not see what the lecturer searches for.
void App::follow_keyboard(const Frame& frame) {
    const PresenterConsole& console = frame.state.window.console;
    const bool there = state_.presenter && console.on && console.second_screen;
    if (!(covered_ || console_covered_) || !there) over_console_ = there && console.focused;
    if (std::exchange(leave_field_, false)) frame.ui.focus->typed() = {};
}

/// Opens what was dropped on the window, or chosen in the desktop's dialog, which is polled, never waited for.
void App::open_what_was_chosen(const Frame& frame) {
    FolderDialog& asked = frame.state.window.folder_dialog;
    using Ask = FolderDialog::Ask;
    using platform::FileDialog;
    if (const Ask what = std::exchange(asked.asked, Ask::nothing); what != Ask::nothing) {
        const bool saves = what == Ask::hand_on || what == Ask::export_file;
        const char* title = what == Ask::hand_on       ? tr("Save for students")
                            : what == Ask::export_file ? tr("Save this panel")
                            : what == Ask::world       ? tr("A world or a text of your own")
                                                       : tr("Open a model or a run");
        dialog_ = FileDialog::open(
            saves               ? FileDialog::For::saving
            : what == Ask::open ? FileDialog::For::folder
                                : FileDialog::For::file,
            title, saves && !asked.file.empty() ? std::filesystem::path(asked.file) : platform::home_folder());
        dialog_for_ = what;
    }
    if (const std::optional<std::string> chosen = dialog_ ? dialog_->poll() : std::nullopt) {
        dialog_.reset();
        if (chosen->empty()) return;
        if (dialog_for_ == Ask::hand_on)
            frame.state.window.handing_on.file = file_named(*chosen, glass_ending);
        else if (dialog_for_ == Ask::export_file)
            frame.own<ExportDialog>().file = *chosen;
        else if (dialog_for_ == Ask::world)
            to_learn_ = *chosen;
        else
            open_dropped(*chosen);
    }
    if (!to_open_.empty()) open_place(frame, std::exchange(to_open_, {}));
    if (!to_learn_.empty()) open_setup_with(frame, std::exchange(to_learn_, {}));
}

/// Called once per window: a key goes down in one of them.
void App::take_keys(const Frame& frame) {
    quit_ = quit_ || (ctrl_down() && key_pressed(Key::q));
    const bool taken = presenter_.handle_keys(frame, lessons_);
    if (!taken) lessons_.handle_keys(frame);
    if (!taken) press_keys(frame);
}

/// Keys act on the chosen card's head, which the panels around the cards show.
void App::press_keys(const Frame& frame) {
    const CardScope scope(frame, state_.slot);
    handle_keys(frame);
}

void App::draw_window(const Frame& frame, const Box& window) {
    const CardScope scope(frame, state_.slot);
    draw_layout(frame, window, lessons_, presenter_, !over_console_);
    if (!over_console_) draw_cards_over(frame, window, lessons_);
    state_.own<StageMotion>().draw(frame);
    presenter_.draw_tools(frame, window);
    export_keys(frame, window);
    mark_exported_panel(frame);
    if (!over_console_) draw_export_dialog(frame, window);
    request_for_views(frame);
    draw_item_names(frame, window);
}

bool App::poll_lessons() {
    using Clock = std::chrono::steady_clock;
    const bool lessons = lessons_.poll(std::chrono::duration<double>(Clock::now().time_since_epoch()).count());
    return presenter_.phones_voted() || lessons || dialog_ != nullptr;
}

void App::start_lesson(const std::string& name, int step) {
    const int which = lessons_.folder().find(name);
    if (which < 0) throw Error("there is no lesson \"{1}\"", name);
    const int count = static_cast<int>(lessons_.folder().lessons()[which]->steps.size());
    if (step < 1 || step > count) throw Error("the lesson \"{1}\" has steps 1 to {2}", name, count);
    state_.window.lessons.ask = LessonMenu::Ask::start;
    state_.window.lessons.which = which;
    state_.window.lessons.step = step - 1;
    state_.window.lessons.open_model = true;  // without asking if it needs another model
}

std::string App::export_caption(ImGuiHost& host) {
    const Frame frame{host.ui(), *snapshot_, state_, send_};
    return state_.own<ExperimentState>().open ? experiment_caption(frame) : app::export_caption(frame);
}

bool App::may_close() { return app::may_close(state_, *session_.snapshot()); }

bool App::moving() const {
    return state_.more_to_compute || ImGui::GetTime() < state_.own<StageGlide>().ends ||
           state_.own<TimelineState>().film.playing || state_.own<TimelineState>().recording.total > 0 ||
           state_.own<StageMotion>().moving() || presenter_.moving();
}

}  // namespace glassformer::app
