// dx (+)= the sum over the copies of each head.
layout(local_size_x = 64) in;
layout(std430) readonly buffer dy_block { float dy[]; };
layout(std430) buffer dx_block { float dx[]; };
layout(std140) uniform Dispatch {
    uint dy_first, dx_first, count, width, times, dx_add;
};
#include "include/cells.glsl"

void main() {
    FOR_CELLS(i, count) {
        const uint from = dy_first + i / width * width * times + i % width;
        float sum = dx_add != 0u ? dx[dx_first + i] : 0.0;
        for (uint t = 0u; t < times; ++t) sum += dy[from + t * width];
        dx[dx_first + i] = sum;
    }
}
