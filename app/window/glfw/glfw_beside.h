#pragma once

#include <functional>
#include <memory>
#include <vector>

#include "app/window/surface.h"

struct GLFWmonitor;
struct GLFWwindow;

namespace glassformer::app {

/// Sets the hints for every window of the program: OpenGL core of that version (43 for 4.3).
void opengl_hints(int version);
/// Every screen once, the desktop's primary one first; mirrored screens count as one.
std::vector<GLFWmonitor*> separate_screens();

/// What the program's two windows have in common. Derived classes create and destroy the window.
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

/// The lecturer's window, covering one screen, while the main window is the audience's. Undecorated, so that nothing is
/// cut off where no window manager runs.
class GlfwBeside : public GlfwSurface {
public:
    /// The audience's screen.
    virtual GLFWmonitor* other_screen() const = 0;
    virtual void swap() = 0;
    /// Sets a callback for when it is destroyed.
    virtual void on_end(std::function<void()> end) = 0;
};

/// `happened` is called for every event in the window. Throws Error if the window cannot be created.
std::unique_ptr<GlfwBeside> open_glfw_beside(GLFWwindow* audience, int gl_version, GLFWmonitor* lecturers,
                                             GLFWmonitor* audiences, std::function<void()> happened);

}  // namespace glassformer::app
