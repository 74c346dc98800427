#pragma once

#include <filesystem>
#include <functional>
#include <optional>

#include "app/history.h"
#include "app/session/session.h"
#include "app/views/frame.h"
#include "app/window/imgui_host.h"

namespace glassformer::app {

/// The window's content: lays the panels out, turns keys into choices. The same for the real window, for screenshots
/// and for tests.
class App {
public:
    explicit App(Session& session);

    /// Draws one frame of the newest snapshot.
    void draw(ImGuiHost& host);
    ViewState& state() { return state_; }
    const Snapshot& shown() const { return *snapshot_; }
    /// Whether the next frame should be drawn without waiting for input.
    bool moving() const;
    /// A file or folder was dropped on the window.
    void open_dropped(const std::filesystem::path& path);

private:
    void take_snapshot();
    void remember_view(bool settled);
    void change_history();
    void choose_first_view();
    float presenter_scale() const;

    Session& session_;
    std::shared_ptr<const Snapshot> snapshot_;
    ViewState state_;
    std::function<void(Command)> send_;
    std::string meaning_shown_;
    History history_;
    std::shared_ptr<const ModelInfo> history_of_;
    std::optional<ViewMoment> restoring_;  // waits for the worker to show its sentences and its step
};

}  // namespace glassformer::app
