// dx (+)= dy · slope(x), cell by cell.
layout(local_size_x = 64) in;
layout(std430) readonly buffer x_block { float x[]; };
layout(std430) readonly buffer dy_block { float dy[]; };
layout(std430) buffer dx_block { float dx[]; };
layout(std140) uniform Dispatch {
    uint x_first, dy_first, dx_first, count, dx_add;
};
#include "include/cells.glsl"

void main() {
    FOR_CELLS(i, count) {
        float value = dy[dy_first + i] * slope(x[x_first + i]);
        dx[dx_first + i] = dx_add != 0u ? dx[dx_first + i] + value : value;
    }
}
