#pragma once

#include <functional>
#include <memory>
#include <optional>

#include "app/desktop/app.h"
#include "app/presenter/held_picture.h"
#include "app/window/imgui_host.h"
#include "app/window/surface.h"

namespace glassformer::app {

/// The console in a window of its own on the lecturer's screen, while there is a second screen and it is wanted.
///
///     lecturer.follow();
///     host.begin_frame([&] { lecturer.point(); }); app.draw(host); host.end_frame_and_draw();
///     lecturer.draw();
///     surface.present();
class LecturerWindow {
public:
    /// Both must outlive it; `stage` is what the audience sees.
    LecturerWindow(App& app, Surface& stage) : app_(app), stage_(stage) {}
    ~LecturerWindow();
    LecturerWindow(const LecturerWindow&) = delete;
    LecturerWindow& operator=(const LecturerWindow&) = delete;

    /// Call before the audience's frame: opens or closes the window.
    void follow();
    /// Call in the script of the audience's frame: while the audience sees black or a frozen picture, the mouse in the
    /// console's picture of the stage is the stage's. So the next picture can be prepared there.
    void point();
    /// Call after the audience's frame is drawn and before it is presented. `script`: see ImGuiHost::begin_frame().
    void draw(const std::function<void()>& script = {});
    /// True if its clock is visible, which moves even when nothing else does.
    bool ticks() const;

    /// Null while it is closed.
    Surface* surface() { return surface_.get(); }
    ImGuiHost* host() { return host_.get(); }

private:
    void close();
    void follow_pointer(bool covered, ImVec2 stage);

    struct Pointer {
        ImVec2 at;
        bool down = false;
        float wheel = 0;
    };

    App& app_;
    Surface& stage_;
    bool failed_ = false;
    std::unique_ptr<Surface> surface_;
    std::unique_ptr<ImGuiHost> host_;
    std::unique_ptr<HeldPicture> picture_;
    std::optional<Pointer> pointer_;  // on the stage
};

}  // namespace glassformer::app
