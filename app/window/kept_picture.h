#pragma once

#include <array>
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

/// The last pictures of a part of the window that a camera looks at (draw::MovingPicture), from near and from far.
/// While the camera moves, the one that fits best is shown shifted or scaled, and what it does not cover is drawn. As
/// soon as the camera rests, all is drawn. Needs a current OpenGL context whenever it is used, and when it ends.
class KeptPicture {
public:
    KeptPicture() = default;
    ~KeptPicture();
    KeptPicture(const KeptPicture&) = delete;
    KeptPicture& operator=(const KeptPicture&) = delete;

    /// What is to be shown in this frame. `now`: seconds. Returns whether the kept picture can stand for it; then it
    /// can be shown, and what is missing has to be drawn.
    bool stands_for(const draw::MovingPicture& picture, KeptPictures when, double now);
    /// Where it does not stand for it: whether all of it has to be drawn. Else it is on the screen already, but for
    /// what may have changed in it.
    bool drawn_whole() const { return new_; }
    /// What was changed on the screen is not in it.
    void forget();
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
    struct Shot {
        draw::MovingPicture of;
        unsigned framebuffer = 0, colours = 0;
        int width = 0, height = 0;
        bool there = false;
    };
    bool can_stand_for(const draw::MovingPicture& picture, double now);
    float fit(const Shot& shot, const draw::MovingPicture& picture);
    void find_missing(const Shot& shot, const draw::MovingPicture& picture);
    Shot& to_replace();

    std::array<Shot, 6> shots_;
    std::size_t best_ = 0;  // that is shown
    draw::MovingPicture wanted_;
    Box shown_{};  // where it is shown: its view, moved with the camera
    std::vector<Box> missing_;
    KeptPictures when_ = KeptPictures::never;
    bool slow_ = false, shifted_ = false, new_ = true, stands_ = false;
    double moved_ = -1e9;  // when the camera did last
    std::chrono::steady_clock::time_point began_;
};

}  // namespace glassformer::app
