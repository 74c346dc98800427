// A matrix as a picture, in the colours of attention or of signed numbers.
uniform sampler2D cells;
uniform int rows, columns;
uniform bool scores;  // below the values are the scores of their cells: -infinity hides the cell
uniform bool with_sign;
uniform float range;  // of signed numbers: the magnitude with the full colour
uniform vec3 colour_zero, colour_middle, colour_full;  // of signed numbers: negative, zero, positive
uniform vec3 colour_broken;                            // of NaN
uniform vec2 corner, extent;                           // in window pixels: the picture's first corner and its size
uniform vec2 pitch;                                    // from one cell to the next, if there are marks
uniform float gap;                                     // pixels between the cells
uniform ivec2 lit;                                     // the column and row between lines; -1: none
uniform ivec2 covered;                                 // the rows that are hidden; -1: none
uniform vec3 colour_gap, colour_covered;
uniform vec4 colour_line;

in vec2 pixel;
out vec4 colour;

// Adds a cell, unless it is hidden, and counts it.
void add(int row, int column, float share, inout vec2 sum) {
    if (scores && isinf(texelFetch(cells, ivec2(column, rows + row), 0).r)) return;
    sum += share * vec2(texelFetch(cells, ivec2(column, row), 0).r, 1.0);
}

// Snaps to a cell's border that is almost reached: through rounding, a sliver of the next cell, perhaps NaN, must not
// count.
vec2 at_border(vec2 x) {
    vec2 border = floor(x + 0.5);
    return mix(x, border, lessThan(abs(x - border), vec2(1.0 / 256.0)));
}

// The mean over the cells under a pixel, and the share of them that is shown. A cell larger than a pixel has one colour
// and sharp edges.
vec2 mean(vec2 middle, vec2 under) {
    vec2 size = vec2(columns, rows);
    vec2 from = max(at_border(middle - 0.5 * under), vec2(0.0)), to = min(at_border(middle + 0.5 * under), size);
    if (under.x <= 1.0) from.x = min(floor(middle.x), size.x - 1.0), to.x = from.x + 1.0;
    if (under.y <= 1.0) from.y = min(floor(middle.y), size.y - 1.0), to.y = from.y + 1.0;
    vec2 sum = vec2(0.0);
    for (int row = int(from.y); float(row) < to.y; ++row) {
        float height = min(float(row + 1), to.y) - max(float(row), from.y);
        for (int column = int(from.x); float(column) < to.x; ++column)
            add(row, column, height * (min(float(column + 1), to.x) - max(float(column), from.x)), sum);
    }
    float area = (to.x - from.x) * (to.y - from.y);
    return sum.y > 0.0 ? vec2(sum.x / sum.y, min(sum.y / area, 1.0)) : vec2(0.0);
}

vec3 of_attention(float weight) {
    float t = pow(clamp(weight, 0.0, 1.0), 0.6);
    return t < 0.5 ? mix(colour_zero, colour_middle, 2.0 * t) : mix(colour_middle, colour_full, 2.0 * t - 1.0);
}

vec3 of_signed(float value) {
    float t = range > 0.0 ? clamp(abs(value) / range, 0.0, 1.0) : 0.0;
    return mix(colour_middle, value < 0.0 ? colour_zero : colour_full, t);
}

vec4 of_cells(vec2 middle, vec2 under) {
    vec2 found = mean(middle, under);
    vec3 shown = isnan(found.x) ? colour_broken : with_sign ? of_signed(found.x) : of_attention(found.x);
    return vec4(shown, found.y);
}

// A cell's pixels along an axis: CellEdges of app/ui/heat_marks.h.
vec2 edges(int cell, int axis) {
    float at = corner[axis] + pitch[axis] * float(cell), from = floor(at + 0.5);
    return vec2(from, max(from + 1.0, floor(at + pitch[axis] + 0.5) - gap));
}

bool within(float x, float from, float to) { return x >= from && x < to; }

// Whether the pixel is in the gap after a cell, which rounding may have moved by a pixel.
bool in_gap(int axis) {
    if (gap <= 0.0) return false;
    int cell = int(floor((pixel[axis] - corner[axis]) / pitch[axis]));
    float here = edges(cell, axis).y, before = edges(cell - 1, axis).y;
    return within(pixel[axis], here, here + gap) || (cell > 0 && within(pixel[axis], before, before + gap));
}

bool in_row(int row) {
    vec2 y = edges(row, 1);
    return row >= 0 && within(pixel.y, y.x, y.y);
}

bool on_line(int axis) {
    vec2 sides = edges(lit[axis], axis);
    float x = pixel[axis], other = pixel[1 - axis] - corner[1 - axis];
    return lit[axis] >= 0 && within(other, 0.0, extent[1 - axis]) &&
           (within(x, sides.x - 1.0, sides.x) || within(x, sides.y, sides.y + 1.0));
}

vec4 over(vec4 below, vec4 above) {
    float alpha = above.a + below.a * (1.0 - above.a);
    return vec4(mix(below.rgb * below.a, above.rgb, above.a) / max(alpha, 1e-6), alpha);
}

void main() {
    vec2 place = (pixel - corner) / extent, middle = place * vec2(columns, rows);
    vec2 under = vec2(abs(dFdx(middle.x)) + abs(dFdy(middle.x)), abs(dFdx(middle.y)) + abs(dFdy(middle.y)));
    colour = vec4(0.0);
    if (all(greaterThanEqual(place, vec2(0.0))) && all(lessThan(place, vec2(1.0)))) {
        if (in_gap(0) || in_gap(1))
            colour = vec4(colour_gap, 1.0);
        else if (in_row(covered.x) || in_row(covered.y))
            colour = vec4(colour_covered, 1.0);
        else
            colour = of_cells(middle, under);
    }
    for (int axis = 0; axis < 2; ++axis)
        if (on_line(axis)) colour = over(colour, colour_line);
}
