// y (+)= factor · x. Backward is the same map; so is a copy, with factor 1.
layout(local_size_x = 64) in;
layout(std430) readonly buffer x_block { float x[]; };
layout(std430) buffer y_block { float y[]; };
layout(std140) uniform Dispatch {
    uint x_first, y_first, count, y_add;
    float factor;
};
#include "include/cells.glsl"

void main() {
    FOR_CELLS(i, count) {
        float value = factor * x[x_first + i];
        y[y_first + i] = y_add != 0u ? y[y_first + i] + value : value;
    }
}
