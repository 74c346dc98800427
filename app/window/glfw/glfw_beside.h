#pragma once

#include <functional>
#include <memory>
#include <vector>

#include "app/window/surface.h"

struct GLFWmonitor;
struct GLFWwindow;

namespace glassformer::app {

/// The hints that every window of the program has: OpenGL core of that version (43 for 4.3).
void opengl_hints(int version);
/// Every screen once, the desktop's first one first: mirrored ones count as one.
std::vector<GLFWmonitor*> separate_screens();

/// What both of the program's windows do alike. Who derives from it makes and destroys the window.
class GlfwSurface : public Surface {
public:
    void make_current() override;
    PixelSize size() const override;
    float content_scale() const override;
    int gl_version() const override { return gl_version_; }
    void bind_target() override;
    void present() override;
    bool should_close() const override;
    void cancel_close() override;

protected:
    GLFWwindow* window_ = nullptr;
    int gl_version_ = 0;
};

/// A window for the lecturer, over one screen, while another window is the audience's. Without a frame: nothing of it
/// is cut where no window manager runs.
class GlfwBeside : public GlfwSurface {
public:
    /// The screen that is not the lecturer's.
    virtual GLFWmonitor* other_screen() const = 0;
    virtual void swap() = 0;
    /// What to do when it ends.
    virtual void on_end(std::function<void()> end) = 0;
};

/// `happened` is called for every event in it. Throws Error where the window cannot be made.
std::unique_ptr<GlfwBeside> open_glfw_beside(GLFWwindow* audience, int gl_version, GLFWmonitor* lecturers,
                                             GLFWmonitor* audiences, std::function<void()> happened);

}  // namespace glassformer::app
