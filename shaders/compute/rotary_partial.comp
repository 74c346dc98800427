// y (+)= x, the first `dims` features of each head in pairs, each turned by its angle in the table of cos and sin;
// backward turns the other way.
layout(local_size_x = 64) in;
layout(std430) readonly buffer x_block { float x[]; };
layout(std430) readonly buffer angles_block { float angles[]; };
layout(std430) buffer y_block { float y[]; };
layout(std140) uniform Dispatch {
    uint x_first, angles_first, y_first, count, positions, heads, width, dims, y_add;
    float direction;
};
#include "include/cells.glsl"

void main() {
    FOR_CELLS(i, count) {
        const uint feature = i % width, position = i / (width * heads) % positions;
        float value = x[x_first + i];
        if (feature < dims) {
            const uint at = angles_first + (position * (dims / 2u) + feature / 2u) * 2u;
            const float c = angles[at], s = direction * angles[at + 1u];
            const bool even = feature % 2u == 0u;
            const float other = x[even ? x_first + i + 1u : x_first + i - 1u];
            value = even ? value * c - other * s : other * s + value * c;
        }
        if (y_add != 0u) value += y[y_first + i];
        y[y_first + i] = value;
    }
}
