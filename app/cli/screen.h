#pragma once

#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "app/desktop/app.h"
#include "app/desktop/export_picture.h"
#include "app/window/offscreen.h"

namespace glassformer::app {

/// The window's content drawn into memory, for pictures: settled, without motion, repeatable.
class Screen {
public:
    struct Options {
        PixelSize size{1600, 1000};
        ThemeKind theme = ThemeKind::light;
        float scale = 1.0f;
        std::string model;                // checkpoint folder; empty: the shipped model of homonyms
        std::optional<std::string> a, b;  // sentences
        std::string backend = "cpu";      // of the trainings
    };

    explicit Screen(const Options& options);

    /// Plays a script file; throws Error with the script's line when something in it is not as it says.
    void play(const std::string& script);
    /// Begins a lesson: a file, or one of the program's by its name. Throws Error where there is none.
    void begin_lesson(const std::string& lesson);
    /// Saves the model and what is on screen as a .glass file; throws Error.
    void hand_on(const std::string& file);
    /// Steps of the model's training that can be travelled to, ascending.
    std::vector<std::int64_t> kept_steps() const { return session_.snapshot()->kept_steps; }
    /// Shows the kept step nearest to it in every panel. Throws Error when it cannot be read back.
    void look_at(std::int64_t step);
    /// One sentence, or two.
    void compare(bool two_sentences) { app_.state().compare = two_sentences; }
    /// The view alone fills the picture, with nothing to press.
    void show_view_alone();
    /// Shows the view Whole model where its story has told so many stages; returns how many there are.
    int tell(float stages);
    /// What is on screen as it was drawn last.
    Image drawn() const { return surface_->read(); }
    /// Throws Error where an item is no part of that story: all pictures of it would be the same.
    void require_in_story(const std::string& item);
    /// What is on screen when everything has come to rest.
    Image picture();
    /// The part of it that an item takes ("window": all), of whatever view has it; with `caption` on white ground with
    /// model, step and sentences below it, as write_panel() writes it. Throws Error where no view has it.
    Image picture_of(const std::string& item, bool caption = false);
    /// One item of it, or "window", as a file (see write_panel in export_picture.h), of whatever view has it.
    /// Throws Error where none does.
    void write_panel(const std::string& file, const std::string& item, int times, bool caption);

private:
    void draw(const std::function<void()>& script = {});
    void rest();
    /// Brings it into sight.
    void turn_to(const std::string& item);
    void show_view_of(const std::string& item);
    ExportedPanel exported(const std::string& item, bool caption);

    std::unique_ptr<Offscreen> surface_;
    Session session_;
    ImGuiHost host_;
    App app_;
};

}  // namespace glassformer::app
