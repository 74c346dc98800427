#include "app/views/whole_model/canvas_camera.h"

#include <algorithm>
#include <cmath>

namespace glassformer::app::views::whole_model {

namespace {

/// Restricts a shot so that the page covers the view.
CanvasShot inside(CanvasShot shot) {
    shot.zoom = std::clamp(shot.zoom, 1.0f, CanvasCamera::most_zoom);
    const float half = 0.5f / shot.zoom;
    shot.centre = {std::clamp(shot.centre.x, half, 1 - half), std::clamp(shot.centre.y, half, 1 - half)};
    return shot;
}

}  // namespace

PagePlace place_of(const CanvasShot& shot, const Box& view) {
    const float w = view.width(), h = view.height();
    return {{view.min.x + w / 2 - shot.centre.x * w * shot.zoom, view.min.y + h / 2 - shot.centre.y * h * shot.zoom},
            shot.zoom,
            shot.zoom};
}

PagePlace place_covering(const Box& part, const Box& screen) {
    const float sx = screen.width() / std::max(part.width(), 1e-3f),
                sy = screen.height() / std::max(part.height(), 1e-3f);
    return {{screen.min.x - part.min.x * sx, screen.min.y - part.min.y * sy}, sx, sy};
}

void CanvasCamera::go(CanvasShot to, double now, bool still) {
    to = inside(to);
    from_ = moving(now) && from_.level == to_.level ? seen(now) : to_;
    to_ = to;
    ends_ = still || from_ == to_ ? -1 : now + seconds;
}

void CanvasCamera::zoom_by(float factor, ImVec2 about) {
    const float zoom = std::clamp(to_.zoom * factor, 1.0f, most_zoom);
    // What is under `about` stays there: centre + (about − ½) / zoom is the same before and after.
    const float change = 1 / to_.zoom - 1 / zoom;
    to_ =
        inside({to_.level, zoom, {to_.centre.x + (about.x - 0.5f) * change, to_.centre.y + (about.y - 0.5f) * change}});
    ends_ = -1;
}

void CanvasCamera::pan(ImVec2 by) {
    to_ = inside({to_.level, to_.zoom, {to_.centre.x + by.x / to_.zoom, to_.centre.y + by.y / to_.zoom}});
    ends_ = -1;
}

float CanvasCamera::progress(double now) const {
    if (!moving(now)) return 1;
    const auto t = to_float(1 - (ends_ - now) / seconds);
    return t * t * (3 - 2 * t);
}

CanvasShot CanvasCamera::seen(double now) const {
    if (!moving(now) || from_.level != to_.level) return to_;
    const float t = progress(now);
    return {to_.level,
            from_.zoom * std::pow(to_.zoom / from_.zoom, t),
            {std::lerp(from_.centre.x, to_.centre.x, t), std::lerp(from_.centre.y, to_.centre.y, t)}};
}

}  // namespace glassformer::app::views::whole_model
