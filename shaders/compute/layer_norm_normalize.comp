// y = (x − mean) / scale.
layout(local_size_x = 64) in;
layout(std430) readonly buffer x_block { float x[]; };
layout(std430) readonly buffer mean_block { float mean[]; };
layout(std430) readonly buffer scale_block { float scale[]; };
layout(std430) buffer y_block { float y[]; };
layout(std140) uniform Dispatch {
    uint x_first, mean_first, scale_first, y_first, count, width;
};
#include "include/cells.glsl"

void main() {
    FOR_CELLS(i, count) {
        const uint r = i / width;
        y[y_first + i] = (x[x_first + i] - mean[mean_first + r]) * (1.0 / scale[scale_first + r]);
    }
}
