// y (+)= each pair of x, turned by its angle in the table of cos and sin; backward turns the other way.
layout(local_size_x = 64) in;
layout(std430) readonly buffer x_block { float x[]; };
layout(std430) readonly buffer angles_block { float angles[]; };
layout(std430) buffer y_block { float y[]; };
layout(std140) uniform Dispatch {
    uint x_first, angles_first, y_first, count, positions, heads, pairs, y_add;
    float direction;
};
#include "include/cells.glsl"

void main() {
    FOR_CELLS(i, count) {
        const uint position = i / (pairs * heads) % positions, at = angles_first + (position * pairs + i % pairs) * 2u;
        const float c = angles[at], s = direction * angles[at + 1u];
        const float even = x[x_first + 2u * i], odd = x[x_first + 2u * i + 1u];
        vec2 turned = vec2(even * c - odd * s, even * s + odd * c);
        const uint to = y_first + 2u * i;
        if (y_add != 0u) turned += vec2(y[to], y[to + 1u]);
        y[to] = turned.x;
        y[to + 1u] = turned.y;
    }
}
