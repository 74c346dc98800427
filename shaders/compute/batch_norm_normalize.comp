// y = (x − mean) / √(variance + ε), for padding as for words.
layout(local_size_x = 64) in;
layout(std430) readonly buffer x_block { float x[]; };
layout(std430) readonly buffer mean_block { float mean[]; };
layout(std430) readonly buffer variance_block { float variance[]; };
layout(std430) buffer y_block { float y[]; };
layout(std140) uniform Dispatch {
    uint x_first, mean_first, variance_first, y_first, count, width;
    float epsilon;
};
#include "include/cells.glsl"

void main() {
    FOR_CELLS(i, count) {
        const uint c = i % width;
        y[y_first + i] = (x[x_first + i] - mean[mean_first + c]) / sqrt(variance[variance_first + c] + epsilon);
    }
}
