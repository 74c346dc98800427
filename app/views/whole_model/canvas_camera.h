#pragma once

#include <imgui.h>

#include "app/ui/box.h"

/// One camera for the whole model: how near it is, and where it looks. Pure: the time is given.
namespace glassformer::app::views::whole_model {

/// How near the camera is. Each level is a page of its own, which fills the view where its zoom is 1.
enum class CanvasLevel { model, block, head, number };
inline constexpr int canvas_levels = 4;

/// What the camera shows when it rests.
struct CanvasShot {
    CanvasLevel level = CanvasLevel::model;
    float zoom = 1;
    ImVec2 centre{0.5f, 0.5f};  ///< of the view, as shares of the page

    bool operator==(const CanvasShot& o) const {
        return level == o.level && zoom == o.zoom && centre.x == o.centre.x && centre.y == o.centre.y;
    }
};

/// Where a page lies on the screen.
struct PagePlace {
    ImVec2 origin{0, 0};
    float sx = 1, sy = 1;

    ImVec2 at(float x, float y) const { return {origin.x + x * sx, origin.y + y * sy}; }
    Box of(const Box& page) const { return {at(page.min.x, page.min.y), at(page.max.x, page.max.y)}; }
    /// The place of the page that is at a place of the screen.
    ImVec2 under(ImVec2 screen) const { return {(screen.x - origin.x) / sx, (screen.y - origin.y) / sy}; }
};

/// A page as large as the view, seen by a shot.
PagePlace place_of(const CanvasShot& shot, const Box& view);
/// The place of a page whose box `part` covers the box `screen`.
PagePlace place_covering(const Box& part, const Box& screen);

/// Goes from shot to shot in one motion.
class CanvasCamera {
public:
    static constexpr double seconds = 0.38;
    static constexpr float most_zoom = 48;

    const CanvasShot& shot() const { return to_; }
    const CanvasShot& from() const { return from_; }
    CanvasLevel level() const { return to_.level; }

    /// Glides there; at once where `still`.
    void go(CanvasShot to, double now, bool still);
    void go(CanvasLevel level, double now, bool still) { go({level, 1, {0.5f, 0.5f}}, now, still); }
    /// Closer or further about a place of the view, as shares of its sides; at once.
    void zoom_by(float factor, ImVec2 about);
    /// Moves what is seen by shares of the view.
    void pan(ImVec2 by);

    bool moving(double now) const { return now < ends_; }
    /// 0 … 1 of the motion, slow at both ends; 1 at rest.
    float progress(double now) const;
    /// What is seen now, as long as the level stays the same.
    CanvasShot seen(double now) const;

private:
    CanvasShot from_, to_;
    double ends_ = -1;
};

}  // namespace glassformer::app::views::whole_model
