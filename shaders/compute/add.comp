// y = a + b, where b is repeated.
layout(local_size_x = 64) in;
layout(std430) readonly buffer a_block { float a[]; };
layout(std430) readonly buffer b_block { float b[]; };
layout(std430) buffer y_block { float y[]; };
layout(std140) uniform Dispatch {
    uint a_first, b_first, y_first, count, period;
};
#include "include/cells.glsl"

void main() {
    FOR_CELLS(i, count) y[y_first + i] = a[a_first + i] + b[b_first + i % period];
}
