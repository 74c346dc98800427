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

/// A window for the lecturer, over one screen, while another window is the audience's. Without a frame: nothing of it
/// is cut where no window manager runs.
class GlfwBeside : public Surface {
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
