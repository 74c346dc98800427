#pragma once

#include <cstdint>
#include <future>
#include <optional>
#include <vector>

#include "app/common/frame.h"
#include "app/film/film_folder.h"
#include "core/platform/user_folders.h"

namespace glassformer::app {

/// Makes a film of the training on screen or of the forward pass. It goes through the kept steps, or through the story
/// of the whole model, and saves the window's picture of each moment, while training continues. The request and its
/// progress are in TimelineState::recording. Pictures are encoded and written on another thread.
class FilmRecorder {
public:
    /// Call this once per frame, before layout. `settled`: the snapshot shows everything that was sent, and no view is
    /// still computing.
    void update(const Frame& frame, bool settled);
    /// Returns true if the window now shows the next picture: draw it once more for take(), without presenting it.
    bool wants_picture() const { return wanted_; }
    /// Returns the part of the window to film; empty: all of it.
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
    /// Waits for the previous picture, and throws its error if it failed.
    void finish_writing();

    std::optional<platform::ScratchFolder> scratch_;  // for a film that becomes one file
    std::filesystem::path file_;                      // that file; empty: a folder of pictures
    bool coding_ = false;                             // the pictures are being encoded into the file
    std::optional<FilmFolder> folder_;                // of the film in progress
    std::vector<std::int64_t> steps_;                 // of the training; empty: a film of the forward pass
    std::size_t at_ = 0;
    int run_ = -1, still_ = 0;  // frames for which the current moment has been on screen, unchanged
    bool wanted_ = false, taken_ = false;
    Box panel_{};           // the part of the window to film; empty: all of it
    bool caption_ = false;  // draw model, step and sentences below it
    PixelSize size_{};      // of all pictures: one file needs a single size
    int spare_ = 0;         // extra pixel rows below the first picture: a later caption may need one more line
    double pictures_a_second_ = 10;
    std::optional<std::int64_t> before_;  // the step that the user was at; nullopt: the newest
    std::future<void> written_;           // last member: waits for the picture when the window closes
};

}  // namespace glassformer::app
