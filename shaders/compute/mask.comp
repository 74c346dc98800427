// y = x, or −∞ where the sentence's mask hides the key.
layout(local_size_x = 64) in;
layout(std430) readonly buffer x_block { float x[]; };
layout(std430) readonly buffer keep_block { float keep[]; };
layout(std430) buffer y_block { float y[]; };
layout(std140) uniform Dispatch {
    uint x_first, keep_first, y_first, count, rows, keys;
};
#include "include/cells.glsl"
#include "include/elementary.glsl"

void main() {
    FOR_CELLS(i, count) {
        const uint sentence = i / (rows * keys);
        y[y_first + i] = keep[keep_first + sentence * keys + i % keys] != 0.0 ? x[x_first + i] : minus_infinity;
    }
}
