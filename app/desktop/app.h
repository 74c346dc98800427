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

/// Weights may lie in a file that someone writes into or cuts. What is read from it then is not the model any more, so
/// that nothing of it may be shown: the sentences lose their numbers and say why.
class ReadableSnapshot {
public:
    /// The snapshot, or the same one without the numbers that cannot be read any more.
    std::shared_ptr<const Snapshot> of(std::shared_ptr<const Snapshot> newest);

private:
    std::shared_ptr<const Snapshot> newest_, without_;
};

/// The window's content: lays the panels out, turns keys into choices. The same for the real window, for screenshots
/// and for tests.
class App {
public:
    /// `lessons`: the folder of their files; may be empty.
    explicit App(Session& session, const std::filesystem::path& lessons = {});

    /// Draws one frame of the newest snapshot.
    void draw(ImGuiHost& host);
    /// Draws the lecturer's console on a window of its own: its last frame's, and what the audience sees.
    void draw_console(ImGuiHost& host, const StagePicture& stage);
    /// What is drawn while the audience sees black or a frozen picture; null while it sees what is drawn.
    HeldPicture* behind_cover() { return presenter_.behind_cover(); }
    ViewState& state() { return state_; }
    LessonRunner& lessons() { return lessons_; }
    /// Makes pictures of the training where that was asked for; see take_film_picture().
    FilmRecorder& film() { return film_; }
    /// Begins a lesson, by its file's name or its title, at a step (from 1); throws Error when there is none.
    void start_lesson(const std::string& name, int step = 1);
    /// Rereads lesson files that changed, once a second; true when a frame should be drawn, for them, for votes
    /// of phones, or for a dialog that is open.
    bool poll_lessons();
    const Snapshot& shown() const { return *snapshot_; }
    /// Whether the next frame should be drawn without waiting for input.
    bool moving() const;
    /// The window is to be closed: false while a question about trainings that are not saved waits for its answer.
    bool may_close();
    /// Ctrl+Q was pressed since this was asked last, in whichever window.
    bool take_quit() { return std::exchange(quit_, false); }
    /// Whether that question was answered, or waits for what was answered to be done.
    bool closing() const { return state_.own<Leaving>().close; }
    /// What is below a picture of this window in a file: model, step and sentences.
    std::string export_caption(ImGuiHost& host);
    /// What was asked for of lessons of one's own: opened, begun, a scene added.
    void author(const Frame& frame);
    /// A lesson's file, from now on beside the others; begins it. Throws Error where it cannot be read.
    void open_lesson(const std::filesystem::path& file);
    /// What goes with the model into a .glass file now.
    LessonBundle handed_on(const std::string& student = {}) const;
    /// A file or folder was dropped on the window.
    void open_dropped(const std::filesystem::path& path);
    /// What is on screen as a link; throws Error where none can hold it. See scene_format.h.
    std::string link() const;
    /// Brings what a link holds on screen, or says why not.
    void open_link(const std::string& text);

private:
    void take_snapshot();
    void open_what_was_chosen(const Frame& frame);
    void follow_links();
    void show_linked();
    void look_back();
    /// A .glass file was opened: what its maker looked at comes on screen, and the lesson that went with it.
    void show_handed_on();
    void arrive();
    void show_kept_experiment(const nlohmann::json& object, const std::string& file);
    /// Saves that in a file, where it was asked for.
    void hand_on(const Frame& frame);
    void remember_view(bool settled);
    void change_history();
    History& history() { return lessons_.playing() ? lesson_history_ : history_; }
    void choose_first_view();
    /// A run that is to be found again opens with what is looked at now.
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
    std::array<int, 3> noted_{-1, -1, -1};  // of which run, which layer, which head the worker knows
    History history_, lesson_history_;      // a lesson's scenes are its own, and what is undone in one is the person's
    int lesson_scene_ = 0;
    FilmRecorder film_;
    bool quit_ = false;
    bool over_console_ = false;                       // what opens over the window does so in the lecturer's
    bool covered_ = false, console_covered_ = false;  // something lies over this window, over the lecturer's
    bool leave_field_ = false;  // a click in the lecturer's window left the text field of this one
    std::shared_ptr<const ModelInfo> history_of_, arrived_;
    struct Linked {
        nlohmann::json scene;
        std::string folder;                           // of its model; empty: a fresh one
        std::int64_t trained_to;                      // the step that its training is to reach
        std::shared_ptr<const ModelInfo> instead_of;  // what was there, where another is opened
    };
    std::optional<Linked> linked_;  // waits for its model
    struct LookBack {
        std::shared_ptr<const ModelInfo> model;
        std::int64_t trained_to = 0, step = 0;
    };
    std::optional<LookBack> look_back_;  // a link's training is looked back at, once it is done

    std::filesystem::path to_open_;   // a model's folder or a run's, from the next frame on
    std::filesystem::path to_learn_;  // a world's file, for New run
    std::unique_ptr<platform::FileDialog> dialog_;
    FolderDialog::Ask dialog_for_{};
    std::optional<ViewMoment> to_show_;    // came with a model, and waits for its lesson
    std::optional<ViewMoment> restoring_;  // waits for the worker to show its sentences and its step
};

}  // namespace glassformer::app
