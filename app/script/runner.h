#pragma once

#include <functional>
#include <string>

#include "app/script/script.h"
#include "app/ui/items.h"

namespace glassformer::app {

/// Plays a script, one step per frame:
///
///     host.begin_frame([&] { runner.step(host.items(), host.ui().scale); });
///     …draw…; host.end_frame_and_draw(); surface.present();
///     runner.after_frame();                         // takes the screenshots
///
/// A click, a key or a drag takes several frames, since ImGui 1.86 sees only what is down when a frame starts.
class ScriptRunner {
public:
    struct Hooks {
        std::function<void(const std::string& path)> shot;   ///< writes a PNG of the frame just drawn
        std::function<void(const std::string& line)> print;  ///< default: standard output
    };

    explicit ScriptRunner(Script script, Hooks hooks = {});

    /// Sets the callback of the command `lesson`: begins a lesson at a step (from 1), throws Error if there is none.
    void on_lesson(std::function<void(const std::string& name, int step)> begin) { begin_lesson_ = std::move(begin); }

    /// Writes this frame's input into ImGui's io. Never throws for an error of the script: see failed().
    void step(const Items& items, float scale);
    /// Takes the screenshot that the last step asked for.
    void after_frame();

    bool finished() const { return failed_ || at_ >= script_.commands.size(); }
    bool failed() const { return failed_; }
    /// "file:line: expect a == 3: a is 4"
    const std::string& message() const { return message_; }

private:
    using Verb = ScriptCommand::Verb;
    enum class Progress { done, more, again };  ///< again: done without using a frame; run the next command at once

    Progress run(const ScriptCommand& command, const Items& items, float scale);
    Progress pointer(const ScriptCommand& command, const Items& items, float scale);
    bool aim(const ScriptCommand& command, const Items& items, float scale);
    Progress press_key(const ScriptCommand& command);
    Progress lesson(const ScriptCommand& command, const Items& items);
    Progress wait(const ScriptCommand& command, const Items& items);
    Progress expect(const ScriptCommand& command, const Items& items);
    const Item* need(const ScriptCommand& command, const Items& items, const std::string& label);
    void fail(const ScriptCommand& command, const std::string& why);
    void write_mouse(bool left, bool right);

    Script script_;
    Hooks hooks_;
    std::function<void(const std::string&, int)> begin_lesson_;
    size_t at_ = 0;
    int warm_up_ = 2;      ///< frames to skip before the first command, since nothing is on screen yet
    int phase_ = 0;        ///< frames spent in the current command
    int again_there_ = 0;  ///< frames spent with the mouse away, before it clicks at the same place again
    double started_ = 0;
    ImVec2 mouse_{-1e6f, -1e6f}, from_{}, to_{};
    std::string shot_;  ///< the screenshot to take after this frame
    bool failed_ = false;
    std::string message_;
};

}  // namespace glassformer::app
