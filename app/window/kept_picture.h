#pragma once

#include <chrono>
#include <memory>
#include <span>
#include <vector>

#include "app/ui/moving_picture.h"

namespace glassformer::app {

/// When the last picture of a moving part stands for a new one.
enum class KeptPictures {
    never,       ///< shots, films and tests: every frame is exact
    where_slow,  ///< OpenGL draws in software, and drawing it took long
    always
};

/// The last picture of a part of the window that a camera looks at (draw::MovingPicture). While the camera moves, it is
/// shown shifted or scaled, and what it does not cover is drawn. As soon as the camera rests, all is drawn. Needs a
/// current OpenGL context whenever it is used, and when it ends.
class KeptPicture {
public:
    KeptPicture() = default;
    ~KeptPicture();
    KeptPicture(const KeptPicture&) = delete;
    KeptPicture& operator=(const KeptPicture&) = delete;

    /// What is to be shown in this frame. `now`: seconds. Returns whether the kept picture can stand for it; then it
    /// can be shown, and what is missing has to be drawn.
    bool stands_for(const draw::MovingPicture& picture, KeptPictures when, double now);
    /// Boxes of the screen that it does not cover.
    std::span<const Box> missing() const { return missing_; }
    /// Whether it was moved by whole pixels alone: with what is missing it is as good as drawn anew.
    bool shifted() const { return shifted_; }

    /// Callbacks of draw lists; their data is the picture. The first shows it, the second keeps what is on the screen.
    static void show(const ImDrawList*, const ImDrawCmd* command);
    static void keep(const ImDrawList*, const ImDrawCmd* command);
    /// These stand around what is drawn anew: how long it takes. The second keeps it, too, where that is worth it.
    static void begin_drawing(const ImDrawList*, const ImDrawCmd* command);
    static void end_drawing(const ImDrawList*, const ImDrawCmd* command);

private:
    void keep_screen();
    void show_on_screen() const;
    void find_missing(const draw::MovingPicture& picture);

    draw::MovingPicture kept_, wanted_;
    Box shown_{};  // where it is shown: its view, moved with the camera
    std::vector<Box> missing_;
    KeptPictures when_ = KeptPictures::never;
    bool there_ = false, slow_ = false, shifted_ = false;
    double moved_ = -1e9;  // when the camera did last
    std::chrono::steady_clock::time_point began_;
    unsigned framebuffer_ = 0, colours_ = 0;
    int width_ = 0, height_ = 0;
};

}  // namespace glassformer::app
