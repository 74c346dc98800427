#pragma once

#include <cstdint>
#include <span>
#include <string_view>

#include "app/ui/box.h"
#include "app/ui/draw.h"

namespace glassformer::app {

/// The numbers along one side of a plot.
struct Axis {
    /// log1p gives the first ones after `low` as much room as the many later ones; log needs low > 0.
    enum class Spacing : std::uint8_t { even, log, log1p };

    double low = 0, high = 1;
    Spacing spacing = Spacing::even;

    /// 0 at low, 1 at high, and further outside of them; 0.5 where both are the same.
    double share(double value) const;
    /// The number at a share: the inverse.
    double value(double share) const;
    double clamped(double value) const { return std::clamp(value, low, high); }

    bool operator==(const Axis&) const = default;
};

/// A plot's place on screen and its two axes: from numbers to pixels and back.
struct Plot {
    Box box;
    Axis x, y;

    template <class Number>
    float at_x(Number value) const {
        return box.min.x + box.width() * to_float(x.share(static_cast<double>(value)));
    }
    float at_y(double value) const { return on_axis(y, value); }
    template <class Number>
    ImVec2 at(Number x_value, double y_value) const {
        return {at_x(x_value), at_y(y_value)};
    }
    /// The height of a number on another upward axis of the same plot.
    float on_axis(const Axis& axis, double value) const {
        return box.max.y - box.height() * static_cast<float>(axis.share(value));
    }
    /// The number at a place on screen, within the axis.
    double x_value(float screen_x) const;
};

/// A round distance (1, 2 or 5 times a power of ten) that cuts `range` into at most `most` pieces.
double round_distance(double range, double most);

/// A line across the plot at a number of its y axis, and that number to the left of it. A line of 0 is the grid's.
void draw_y_tick(const Ui& ui, const Plot& plot, double value, std::string_view number, ImU32 ink, ImU32 line = 0);
/// A text under a place of the x axis.
void draw_x_label(const Ui& ui, const Plot& plot, double value, std::string_view text, ImU32 ink,
                  draw::Align align = draw::Align::centre);

/// How a curve is drawn; lengths are screen pixels.
struct SeriesStyle {
    ImU32 colour = 0;
    float thickness = 1;
    bool dashed = false;
    float dot = 0;  ///< the radius of a dot at each point; 0: none
};
void draw_series(const Ui& ui, std::span<const ImVec2> points, const SeriesStyle& style);

/// A dot with a rim, that stands out from the curves.
void draw_plot_dot(const Ui& ui, ImVec2 at, ImU32 colour);

}  // namespace glassformer::app
