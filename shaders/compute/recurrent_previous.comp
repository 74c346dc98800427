// y[b, p] = h[b, p − 1], zeros at the first position.
layout(local_size_x = 64) in;
layout(std430) readonly buffer h_block { float h[]; };
layout(std430) writeonly buffer y_block { float y[]; };
layout(std140) uniform Dispatch {
    uint h_first, y_first, count, positions, width;
};
#include "include/cells.glsl"

void main() {
    FOR_CELLS(i, count) y[y_first + i] = i / width % positions > 0u ? h[h_first + i - width] : 0.0;
}
