#include "app/ui/heat_levels.h"

#include <algorithm>
#include <cmath>

namespace glassformer::app {

namespace {

std::size_t at(int index) { return static_cast<std::size_t>(index); }

/// The cells along one axis that a cell of a smaller level covers.
struct Cover {
    int first = 0, count = 0;
    float head = 1, tail = 1;  // the covered shares of the first and the last

    float share(int i) const { return (i == 0 ? head : 1.0f) * (i == count - 1 && count > 1 ? tail : 1.0f); }
};

std::vector<Cover> covers(int from, int to) {
    std::vector<Cover> all(to);
    for (int i = 0; i < to; ++i) {
        const double begin = static_cast<double>(i) * from / to, end = static_cast<double>(i + 1) * from / to;
        Cover& c = all[i];
        c.first = static_cast<int>(begin);
        c.count = std::max(1, std::min(from, static_cast<int>(std::ceil(end - 1e-9))) - c.first);
        c.head = static_cast<float>(std::min(1.0, c.first + 1 - begin));
        c.tail = static_cast<float>(end - (c.first + c.count - 1));
    }
    return all;
}

/// For even sides: each new cell is the mean of four.
HeatLevel halved(const HeatLevel& level) {
    HeatLevel result{level.rows / 2, level.columns / 2, {}, {}};
    result.means.resize(at(result.rows) * at(result.columns)), result.shown.resize(result.means.size());
    const float *means = level.means.data(), *shown = level.shown.data();
    for (int row = 0; row < result.rows; ++row)
        for (int column = 0; column < result.columns; ++column) {
            const std::size_t a = 2 * (at(row) * at(level.columns) + at(column)), b = a + at(level.columns);
            const float area = shown[a] + shown[a + 1] + shown[b] + shown[b + 1];
            const float sum =
                means[a] * shown[a] + means[a + 1] * shown[a + 1] + means[b] * shown[b] + means[b + 1] * shown[b + 1];
            const std::size_t cell = at(row) * at(result.columns) + at(column);
            result.means[cell] = area > 0 ? sum / area : 0;
            result.shown[cell] = area / 4;
        }
    return result;
}

HeatLevel reduced(const HeatLevel& level, int rows, int columns) {
    if (level.rows == 2 * rows && level.columns == 2 * columns) return halved(level);
    HeatLevel result{rows, columns, {}, {}};
    result.means.resize(at(rows) * at(columns)), result.shown.resize(at(rows) * at(columns));
    const std::vector<Cover> down = covers(level.rows, rows), across = covers(level.columns, columns);
    for (int row = 0; row < rows; ++row)
        for (int column = 0; column < columns; ++column) {
            const Cover &r = down[row], &c = across[column];
            float sum = 0, shown = 0, area = 0;
            for (int i = 0; i < r.count; ++i)
                for (int j = 0; j < c.count; ++j) {
                    const std::size_t cell = at(r.first + i) * at(level.columns) + at(c.first + j);
                    const float share = r.share(i) * c.share(j), here = share * level.shown[cell];
                    area += share, shown += here;
                    sum += here * level.means[cell];
                }
            const std::size_t cell = at(row) * at(columns) + at(column);
            result.means[cell] = shown > 0 ? sum / shown : 0;
            result.shown[cell] = shown / area;
        }
    return result;
}

}  // namespace

SignedColours signed_colours(const Theme& theme, HeatColours colours) {
    if (colours == HeatColours::signed_values)
        return {theme.signed_negative, theme.signed_neutral, theme.signed_positive};
    const ImU32 quiet = mix(theme.card, theme.mlp, 0.07f);  // most neurons are slightly negative; that is quiet, too
    return {mix(quiet, theme.signed_negative, 0.55f), quiet, theme.mlp};
}

ImU32 heat_colour(const Theme& theme, HeatColours colours, float value, float range) {
    if (colours == HeatColours::attention) return theme.attention_colour(value);
    if (colours == HeatColours::signed_values || std::isnan(value)) return theme.signed_colour(value, range);
    const SignedColours scale = signed_colours(theme, colours);
    const float size = range > 0 ? std::clamp(std::abs(value) / range, 0.0f, 1.0f) : 0.0f;
    return mix(scale.zero, value < 0 ? scale.negative : scale.positive, size);
}

HeatScale::HeatScale(const Theme& theme, HeatColours colours, float range) {
    const bool attention = colours == HeatColours::attention;
    factor_ = attention ? 1.0f : 0.5f / range, offset_ = attention ? 0.0f : 0.5f;
    for (int i = 0; i < steps; ++i) {
        const float t = static_cast<float>(i) / (steps - 1);
        scale_[i] = heat_colour(theme, colours, attention ? t : 2 * t - 1, 1);
    }
    broken_ = heat_colour(theme, colours, std::nanf(""), 1);
}

HeatLevel level_of(const HeatMatrix& matrix, int rows, int columns) {
    HeatLevel level{matrix.rows, matrix.columns, {}, {}};
    level.means.reserve(at(matrix.rows) * at(matrix.columns));
    for (int row = 0; row < matrix.rows; ++row) {
        const std::span<const float> values = matrix.values.subspan(row * matrix.stride, at(matrix.columns));
        level.means.insert(level.means.end(), values.begin(), values.end());
    }
    level.shown.assign(level.means.size(), 1.0f);
    for (int row = 0; row < matrix.rows && !matrix.scores.empty(); ++row)
        for (int column = 0; column < matrix.columns; ++column)
            if (std::isinf(matrix.scores[row * matrix.stride + at(column)])) {
                const std::size_t cell = at(row) * at(matrix.columns) + at(column);
                level.shown[cell] = level.means[cell] = 0;  // its value may also be infinite: keep it out of all means
            }
    if (rows >= level.rows && columns >= level.columns) return level;
    return reduced(level, std::min(level.rows, rows), std::min(level.columns, columns));
}

HeatLevel next_level(const HeatLevel& level) {
    return reduced(level, std::max(1, level.rows / 2), std::max(1, level.columns / 2));
}

std::vector<ImU32> HeatScale::coloured(const HeatLevel& level) const {
    std::vector<ImU32> pixels(level.means.size());
    for (std::size_t i = 0; i < pixels.size(); ++i) {
        const float t = level.means[i] * factor_ + offset_;
        const ImU32 colour =
            std::isnan(t) ? broken_ : scale_[static_cast<int>(std::clamp(t, 0.0f, 1.0f) * (steps - 1) + 0.5f)];
        const float shown = level.shown[i];
        pixels[i] = shown >= 1 ? colour : with_alpha(colour, shown);
    }
    return pixels;
}

}  // namespace glassformer::app
