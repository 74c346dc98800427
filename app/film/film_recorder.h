#pragma once

#include <cstdint>
#include <future>
#include <optional>
#include <vector>

#include "app/common/frame.h"
#include "app/film/film_folder.h"
#include "core/platform/user_folders.h"

namespace glassformer::app {

/// Makes a film of the training on screen, or of the forward pass: goes through the kept steps, or through the story of
/// the whole model, and has the window's picture of each moment written, while a training goes on. What is asked for
/// and how far it is is in TimelineState::recording. Pictures are encoded and written on a thread of their own.
class FilmRecorder {
public:
    /// Once a frame, before it is laid out; `settled` when the snapshot shows everything that was
    /// sent, and no view still computes what it shows.
    void update(const Frame& frame, bool settled);
    /// Whether what is on screen now is the next picture: draw it once more for take(), without showing it.
    bool wants_picture() const { return wanted_; }
    /// What of the window it is of; empty: all of it.
    const Box& panel() const { return panel_; }
    bool has_caption() const { return caption_; }
    void take(Image picture);

private:
    void begin(const Frame& frame);
    void go_on(const Frame& frame, bool settled);
    void next(const Frame& frame);
    void finish(const Frame& frame, const std::string& where);
    void end(const Frame& frame, const std::string& text, bool good);
    bool writing() const;
    /// Throws what went wrong with the picture before.
    void finish_writing();

    std::optional<platform::ScratchFolder> scratch_;  // of a film that becomes one file
    std::filesystem::path file_;                      // that; empty: a folder of pictures
    bool coding_ = false;                             // the pictures become the file
    std::optional<FilmFolder> folder_;                // of the film being made
    std::vector<std::int64_t> steps_;                 // of the training; empty: it is of the forward pass
    std::size_t at_ = 0;
    int run_ = -1, still_ = 0;  // frames that its moment has been on screen, at rest
    bool wanted_ = false, taken_ = false;
    Box panel_{};           // that each picture is of; empty: the window
    bool caption_ = false;  // model, step and sentences stand below it
    PixelSize size_{};      // of all pictures, as one file needs it
    int spare_ = 0;         // rows below the first one: its caption may need another line later
    double pictures_a_second_ = 10;
    std::optional<std::int64_t> before_;  // where the person was; none: at the newest step
    std::future<void> written_;           // last: it waits for the picture when the window closes
};

}  // namespace glassformer::app
