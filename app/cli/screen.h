#pragma once

#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "app/cli/cli.h"
#include "app/desktop/app.h"
#include "app/desktop/export_picture.h"
#include "app/window/offscreen.h"

namespace glassformer::app {

/// Draws the window's content into memory, for pictures: settled, without motion, repeatable.
class Screen {
public:
    struct Options {
        Look look = {};
        std::string model;                          // checkpoint folder; empty: the shipped model of homonyms
        std::optional<std::string> a = {}, b = {};  // sentences
        std::string backend = "cpu";                // for trainings
    };

    /// Throws Error if the model cannot be opened, or cannot read a given sentence.
    explicit Screen(const Options& options);

    /// Plays a script file. Throws Error with the script's line if something is not as it says.
    void play(const std::string& script);
    /// Begins a lesson: a file, or a shipped one by name. Throws Error if there is none, or it does not begin.
    void begin_lesson(const std::string& lesson);
    /// Saves the model and what is on screen as a .glass file. Throws Error if that fails.
    void hand_on(const std::string& file);
    /// The kept steps of the model's training, ascending.
    std::vector<std::int64_t> kept_steps() const { return session_.snapshot()->kept_steps; }
    /// Shows the kept step nearest to `step` in every panel. Throws Error if it cannot be read back.
    void look_at(std::int64_t step);
    /// Shows one sentence, or two.
    void compare(bool two_sentences) { app_.state().compare = two_sentences; }
    /// Lets the view alone fill the picture, without controls.
    void show_view_alone();
    /// Shows the view Whole model with its story at `stages`; returns how many stages there are.
    int tell(float stages);
    /// The screen as it was drawn last.
    Image drawn() const { return surface_->read(); }
    /// Throws Error if an item does not change in that story: all pictures of it would be the same.
    void require_in_story(const std::string& item);
    /// The screen, drawn until its layout has settled.
    Image picture();
    /// The part of it that an item covers ("window": all), from whichever view has it; with `caption`, on a white
    /// background with model, step and sentences below, as write_panel() writes it. Throws Error if no view has it.
    Image picture_of(const std::string& item, bool caption = false);
    /// Writes one item of it, or "window", to a file (see write_panel in export_picture.h), from whichever view has it.
    /// Throws Error if none does.
    void write_panel(const std::string& file, const std::string& item, int times, bool caption);

private:
    void draw(const std::function<void()>& script = {});
    void rest();
    /// Brings an item into view.
    void turn_to(const std::string& item);
    void show_view_of(const std::string& item);
    ExportedPanel exported(const std::string& item, bool caption);

    std::unique_ptr<Offscreen> surface_;
    Session session_;
    ImGuiHost host_;
    App app_;
};

}  // namespace glassformer::app
