// y (+)= x with the first 2 · pairs features of each head rotated in pairs, each by its angle in the table of cos and
// sin; backward rotates the other way.
layout(local_size_x = 64) in;
layout(std430) readonly buffer x_block { float x[]; };
layout(std430) readonly buffer angles_block { float angles[]; };
layout(std430) readonly buffer place_block { float place[]; };
layout(std430) buffer y_block { float y[]; };
layout(std140) uniform Dispatch {
    uint x_first, angles_first, place_first, y_first, count, positions, heads, width, pairs, halves, at_place, y_add;
    float direction;
};
#include "include/cells.glsl"

void main() {
    FOR_CELLS(i, count) {
        const uint feature = i % width, row = i / (width * heads) % positions;
        const uint position = at_place != 0u ? row + uint(place[place_first]) : row;
        float value = x[x_first + i];
        if (feature < 2u * pairs) {
            const uint pair = halves != 0u ? feature % pairs : feature / 2u, apart = halves != 0u ? pairs : 1u;
            const bool even = halves != 0u ? feature < pairs : feature % 2u == 0u;
            const uint at = angles_first + (position * pairs + pair) * 2u;
            const float c = angles[at], s = direction * angles[at + 1u];
            const float other = x[even ? x_first + i + apart : x_first + i - apart];
            value = even ? value * c - other * s : other * s + value * c;
        }
        if (y_add != 0u) value += y[y_first + i];
        y[y_first + i] = value;
    }
}
