#include "app/ui/heat_levels.h"

#include <algorithm>
#include <array>
#include <cmath>

namespace glassformer::app {

namespace {

constexpr int steps = 4096;  // of a colour scale: finer than 8 bits even where small weights are spread

std::size_t at(int index) { return static_cast<std::size_t>(index); }

/// The cells that one cell of a smaller level covers along an axis.
struct Cover {
    int first = 0, count = 0;
    float head = 1, tail = 1;  // shares of the first and of the last

    float share(int i) const { return (i == 0 ? head : 1.0f) * (i == count - 1 && count > 1 ? tail : 1.0f); }
};

std::vector<Cover> covers(int from, int to) {
    std::vector<Cover> all(at(to));
    for (int i = 0; i < to; ++i) {
        const double begin = static_cast<double>(i) * from / to, end = static_cast<double>(i + 1) * from / to;
        Cover& c = all[at(i)];
        c.first = static_cast<int>(begin);
        c.count = std::max(1, std::min(from, static_cast<int>(std::ceil(end - 1e-9))) - c.first);
        c.head = static_cast<float>(std::min(1.0, c.first + 1 - begin));
        c.tail = static_cast<float>(end - (c.first + c.count - 1));
    }
    return all;
}

HeatLevel reduced(const HeatLevel& level, int rows, int columns) {
    HeatLevel result{rows, columns, {}, {}};
    result.means.resize(at(rows) * at(columns)), result.shown.resize(at(rows) * at(columns));
    const std::vector<Cover> down = covers(level.rows, rows), across = covers(level.columns, columns);
    for (int row = 0; row < rows; ++row)
        for (int column = 0; column < columns; ++column) {
            const Cover &r = down[at(row)], &c = across[at(column)];
            float sum = 0, shown = 0, area = 0;
            for (int i = 0; i < r.count; ++i)
                for (int j = 0; j < c.count; ++j) {
                    const std::size_t cell = at(r.first + i) * at(level.columns) + at(c.first + j);
                    const float share = r.share(i) * c.share(j), here = share * level.shown[cell];
                    area += share, shown += here;
                    if (here > 0) sum += here * level.means[cell];
                }
            const std::size_t cell = at(row) * at(columns) + at(column);
            result.means[cell] = shown > 0 ? sum / shown : 0;
            result.shown[cell] = shown / area;
        }
    return result;
}

/// Colours from one end of a scale to the other.
std::array<ImU32, steps> scale_of(const Theme& theme, HeatColours colours) {
    std::array<ImU32, steps> scale;
    for (int i = 0; i < steps; ++i) {
        const float t = static_cast<float>(i) / (steps - 1);
        scale[at(i)] =
            colours == HeatColours::attention ? theme.attention_colour(t) : theme.signed_colour(2 * t - 1, 1);
    }
    return scale;
}

}  // namespace

HeatLevel first_level(const HeatMatrix& matrix, int most) {
    HeatLevel level{matrix.rows, matrix.columns, {}, {}};
    level.means.reserve(at(matrix.rows) * at(matrix.columns));
    for (int row = 0; row < matrix.rows; ++row) {
        const std::span<const float> values =
            matrix.values.subspan(at(row) * static_cast<std::size_t>(matrix.stride), at(matrix.columns));
        level.means.insert(level.means.end(), values.begin(), values.end());
    }
    level.shown.assign(level.means.size(), 1.0f);
    for (int row = 0; row < matrix.rows && !matrix.scores.empty(); ++row)
        for (int column = 0; column < matrix.columns; ++column)
            if (std::isinf(matrix.scores[at(row) * static_cast<std::size_t>(matrix.stride) + at(column)]))
                level.shown[at(row) * at(matrix.columns) + at(column)] = 0;
    if (level.rows <= most && level.columns <= most) return level;
    return reduced(level, std::min(level.rows, most), std::min(level.columns, most));
}

HeatLevel next_level(const HeatLevel& level) {
    return reduced(level, std::max(1, level.rows / 2), std::max(1, level.columns / 2));
}

std::vector<ImU32> coloured(const HeatLevel& level, const Theme& theme, HeatColours colours, float range) {
    const std::array<ImU32, steps> scale = scale_of(theme, colours);
    const ImU32 broken = colours == HeatColours::attention ? theme.attention_colour(std::nanf(""))
                                                           : theme.signed_colour(std::nanf(""), 1);
    const float factor = colours == HeatColours::attention ? 1.0f : 0.5f / range,
                offset = colours == HeatColours::attention ? 0.0f : 0.5f;
    std::vector<ImU32> pixels(level.means.size());
    for (std::size_t i = 0; i < pixels.size(); ++i) {
        const float t = level.means[i] * factor + offset;
        const ImU32 colour =
            std::isnan(t) ? broken : scale[static_cast<std::size_t>(std::clamp(t, 0.0f, 1.0f) * (steps - 1) + 0.5f)];
        const float shown = level.shown[i];
        pixels[i] = shown >= 1 ? colour : with_alpha(colour, shown);
    }
    return pixels;
}

}  // namespace glassformer::app
