// y = x / scale.
layout(local_size_x = 64) in;
layout(std430) readonly buffer x_block { float x[]; };
layout(std430) readonly buffer scale_block { float scale[]; };
layout(std430) buffer y_block { float y[]; };
layout(std140) uniform Dispatch {
    uint x_first, scale_first, y_first, count, width;
};
#include "include/cells.glsl"

void main() {
    FOR_CELLS(i, count) y[y_first + i] = x[x_first + i] * (1.0 / scale[scale_first + i / width]);
}
