// y [.., H · times, width] = each head of x [.., H, width] `times` times side by side.
layout(local_size_x = 64) in;
layout(std430) readonly buffer x_block { float x[]; };
layout(std430) buffer y_block { float y[]; };
layout(std140) uniform Dispatch {
    uint x_first, y_first, count, width, times;
};
#include "include/cells.glsl"

void main() {
    FOR_CELLS(i, count) y[y_first + i] = x[x_first + i / width / times * width + i % width];
}
