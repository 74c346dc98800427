#pragma once

#include <array>
#include <filesystem>
#include <functional>
#include <nlohmann/json.hpp>
#include <optional>
#include <string>
#include <utility>

#include "app/common/frame.h"
#include "app/desktop/history.h"
#include "app/film/film_recorder.h"
#include "app/lessons/lesson_runner.h"
#include "app/panels/leaving/leaving_question.h"
#include "app/presenter/presenter.h"
#include "app/session/session.h"
#include "app/window/imgui_host.h"
#include "core/platform/dialog.h"

namespace glassformer::app {

/// Weights may be in a file that someone overwrites or cuts. What is read from it is then no longer the model and must
/// not be shown: the sentences lose their numbers and say why.
class ReadableSnapshot {
public:
    /// The snapshot, or the same one without the numbers that can no longer be read.
    std::shared_ptr<const Snapshot> of(std::shared_ptr<const Snapshot> newest);

private:
    std::shared_ptr<const Snapshot> newest_, without_;
};

/// The window's content: lays the panels out, turns keys into choices. The same for the real window, for screenshots
/// and for tests.
class App {
public:
    /// `lessons`: the folder of the lesson files; may be empty.
    explicit App(Session& session, const std::filesystem::path& lessons = {});

    /// Draws one frame of the newest snapshot.
    void draw(ImGuiHost& host);
    /// Draws the lecturer's console in a window of its own, from the last frame's snapshot, with what the audience
    /// sees.
    void draw_console(ImGuiHost& host, const StagePicture& stage);
    /// What is drawn while the audience sees black or a frozen picture; null while it sees what is drawn.
    HeldPicture* behind_cover() { return presenter_.behind_cover(); }
    ViewState& state() { return state_; }
    LessonRunner& lessons() { return lessons_; }
    /// Takes pictures of the training if requested; see take_film_picture().
    FilmRecorder& film() { return film_; }
    /// Begins a lesson, given its file's name or its title, at a step (from 1). Throws Error if there is none.
    void start_lesson(const std::string& name, int step = 1);
    /// Rereads changed lesson files, once per second. Returns true if a frame should be drawn: for them, for votes from
    /// phones, or for an open dialog.
    bool poll_lessons();
    const Snapshot& shown() const { return *snapshot_; }
    /// Whether the next frame should be drawn without waiting for input.
    bool moving() const;
    /// The window wants to close: false while a question about unsaved trainings waits for its answer.
    bool may_close();
    /// True if Ctrl+Q was pressed since the last call, in whichever window.
    bool take_quit() { return std::exchange(quit_, false); }
    /// True while that question waits for its answer, or for what was answered to be done.
    bool closing() const { return state_.own<Leaving>().close; }
    /// The caption below a picture of this window in a file: model, step and sentences.
    std::string export_caption(ImGuiHost& host);
    /// Does what an author requests: opens or begins a lesson, or adds a scene to it.
    void author(const Frame& frame);
    /// Adds a lesson's file to the others and begins it. Throws Error if it cannot be read.
    void open_lesson(const std::filesystem::path& file);
    /// What is stored with the model in a .glass file now. A lesson with tasks is handed on as new, since the screen
    /// and the answers would be its solution; `worker`: unless these are to be this person's work (empty: the user's
    /// own).
    LessonBundle handed_on(const std::optional<std::string>& worker = {}) const;
    /// The same with all work, for whoever is at this window to go on with.
    LessonBundle left_off() const;
    /// Opens a file or folder that was dropped on the window.
    void open_dropped(const std::filesystem::path& path);
    /// Returns what is on screen as a link. Throws Error if none can hold it. See scene_format.h.
    std::string link() const;
    /// Shows what a link holds, or says why it cannot.
    void open_link(const std::string& text);

private:
    void take_snapshot();
    void open_what_was_chosen(const Frame& frame);
    void follow_links();
    void show_linked();
    void look_back();
    /// After a .glass file was opened: shows what its author looked at, and the lesson stored with it.
    void show_handed_on();
    void arrive();
    /// What came with the model on screen, unless it was shown before: the user may have changed what is on screen.
    std::shared_ptr<const LessonBundle> just_came() const;
    void show_kept_experiment(const nlohmann::json& object, const std::string& file);
    /// Saves that in a file, if requested.
    void hand_on(const Frame& frame);
    void remember_view(bool settled);
    void change_history();
    History& history() { return lessons_.playing() ? lesson_history_ : history_; }
    void choose_first_view();
    /// Notes what is looked at now: a run that is kept opens with it again.
    void note_view();
    void follow_keyboard(const Frame& frame);
    void take_keys(const Frame& frame);
    void press_keys(const Frame& frame);
    void draw_window(const Frame& frame, const Box& window);

    Session& session_;
    ReadableSnapshot readable_;
    std::shared_ptr<const Snapshot> snapshot_;
    ViewState state_;
    LessonRunner lessons_;
    Presenter presenter_;
    std::function<void(Command)> send_;
    std::string meaning_shown_;
    std::array<int, 3> noted_{-1, -1, -1};  // run, layer and head that the worker knows
    History history_, lesson_history_;      // in a lesson, only the user's changes within a scene are undone
    int lesson_scene_ = 0;
    FilmRecorder film_;
    bool quit_ = false;
    bool over_console_ = false;                       // what opens over the window opens over the lecturer's
    bool covered_ = false, console_covered_ = false;  // something covers this window, or the lecturer's
    bool leave_field_ = false;  // a click in the lecturer's window left the text field of this one
    std::shared_ptr<const ModelInfo> history_of_, arrived_;
    std::shared_ptr<const LessonBundle> came_;  // shown last
    struct Linked {
        nlohmann::json scene;
        std::string folder;                           // of its model; empty: a fresh model
        std::int64_t trained_to;                      // the step that its training must reach
        std::shared_ptr<const ModelInfo> instead_of;  // the previous model, if another is opened
    };
    std::optional<Linked> linked_;  // waits for its model
    struct LookBack {
        std::shared_ptr<const ModelInfo> model;
        std::int64_t trained_to = 0, step = 0;
    };
    std::optional<LookBack> look_back_;  // the step to show once a link's training is done

    std::filesystem::path to_open_;   // folder of a model or a run, to open in the next frame
    std::filesystem::path to_learn_;  // a world's file, for New run
    std::unique_ptr<platform::FileDialog> dialog_;
    FolderDialog::Ask dialog_for_{};
    std::optional<ViewMoment> to_show_;    // came with a model; waits for its lesson
    std::optional<ViewMoment> restoring_;  // waits for the worker to show its sentences and its step
};

}  // namespace glassformer::app
