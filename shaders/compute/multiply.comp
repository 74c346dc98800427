// y (+)= a ⊙ b, cell by cell. Backward is the same map: da = dy ⊙ b, db = dy ⊙ a.
layout(local_size_x = 64) in;
layout(std430) readonly buffer a_block { float a[]; };
layout(std430) readonly buffer b_block { float b[]; };
layout(std430) buffer y_block { float y[]; };
layout(std140) uniform Dispatch {
    uint a_first, b_first, y_first, count, y_add;
};
#include "include/cells.glsl"

void main() {
    FOR_CELLS(i, count) {
        float value = a[a_first + i] * b[b_first + i];
        y[y_first + i] = y_add != 0u ? y[y_first + i] + value : value;
    }
}
