#pragma once

#include <imgui.h>

#include "app/ui/box.h"

/// One camera for the whole model: how close it is, and where it looks. Depends on no clock: the time is a parameter.
namespace glassformer::app::views::whole_model {

/// How close the camera is. Each level has its own page, which fills the view at zoom 1.
enum class CanvasLevel { model, block, head, number };
inline constexpr int canvas_levels = 4;

/// What the camera shows at rest.
struct CanvasShot {
    CanvasLevel level = CanvasLevel::model;
    float zoom = 1;
    ImVec2 centre{0.5f, 0.5f};  ///< of the view, as shares of the page

    bool operator==(const CanvasShot& o) const {
        return level == o.level && zoom == o.zoom && centre.x == o.centre.x && centre.y == o.centre.y;
    }
};

/// Where a page is on the screen.
struct PagePlace {
    ImVec2 origin{0, 0};
    float sx = 1, sy = 1;

    ImVec2 at(float x, float y) const { return {origin.x + x * sx, origin.y + y * sy}; }
    Box of(const Box& page) const { return {at(page.min.x, page.min.y), at(page.max.x, page.max.y)}; }
    /// The point of the page under a point of the screen.
    ImVec2 under(ImVec2 screen) const { return {(screen.x - origin.x) / sx, (screen.y - origin.y) / sy}; }
};

/// The place of a page as large as the view, as seen in a shot.
PagePlace place_of(const CanvasShot& shot, const Box& view);
/// The place of a page on which the box `part` covers the box `screen`.
PagePlace place_covering(const Box& part, const Box& screen);

/// Moves smoothly from shot to shot.
class CanvasCamera {
public:
    static constexpr double seconds = 0.38;
    static constexpr float most_zoom = 48;

    const CanvasShot& shot() const { return to_; }
    const CanvasShot& from() const { return from_; }
    CanvasLevel level() const { return to_.level; }

    /// Moves there; at once if `still`.
    void go(CanvasShot to, double now, bool still);
    void go(CanvasLevel level, double now, bool still) { go({level, 1, {0.5f, 0.5f}}, now, still); }
    /// Zooms in or out, at once, around a point of the view that is given as shares of its sides.
    void zoom_by(float factor, ImVec2 about);
    /// Moves the shot by shares of the view.
    void pan(ImVec2 by);

    bool moving(double now) const { return now < ends_; }
    /// Progress of the motion, 0 … 1, slow at both ends; 1 at rest.
    float progress(double now) const;
    /// What is visible now, unless the level is changing.
    CanvasShot seen(double now) const;

private:
    CanvasShot from_, to_;
    double ends_ = -1;
};

}  // namespace glassformer::app::views::whole_model
