#pragma once

#include <cstdint>
#include <span>
#include <string_view>

#include "app/ui/box.h"
#include "app/ui/draw.h"

namespace glassformer::app {

/// One axis of a plot.
struct Axis {
    /// log1p gives the first numbers after `low` as much room as the many later ones; log needs low > 0.
    enum class Spacing : std::uint8_t { even, log, log1p };

    double low = 0, high = 1;
    Spacing spacing = Spacing::even;

    /// 0 at low, 1 at high, beyond that outside of them; 0.5 if both are equal.
    double share(double value) const;
    /// The inverse: the number at a share.
    double value(double share) const;
    double clamped(double value) const { return std::clamp(value, low, high); }

    bool operator==(const Axis&) const = default;
};

/// A plot's box on screen and its two axes: converts numbers to pixels and back.
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
    /// The y position of a number on another vertical axis of the same plot.
    float on_axis(const Axis& axis, double value) const {
        return box.max.y - box.height() * static_cast<float>(axis.share(value));
    }
    /// The number at a screen position, clamped to the axis.
    double x_value(float screen_x) const;
};

/// A round step (1, 2 or 5 times a power of ten) that divides `range` into at most `most` parts.
double round_distance(double range, double most);

/// A horizontal line at `value` of the y axis, with the number to its left. A `line` of 0 is the grid's colour.
void draw_y_tick(const Ui& ui, const Plot& plot, double value, std::string_view number, ImU32 ink, ImU32 line = 0);
/// A text below a position on the x axis.
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

/// A dot with a rim, so that it stands out from the curves.
void draw_plot_dot(const Ui& ui, ImVec2 at, ImU32 colour);

}  // namespace glassformer::app
