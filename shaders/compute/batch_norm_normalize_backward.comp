// dx (+)= (dy − mean(dy) − y·mean(dy ⊙ y)) / √(variance + ε) at a word, dy / √(variance + ε) at padding.
layout(local_size_x = 64) in;
layout(std430) readonly buffer y_block { float y[]; };
layout(std430) readonly buffer dy_block { float dy[]; };
layout(std430) readonly buffer keep_block { float keep[]; };
layout(std430) readonly buffer variance_block { float variance[]; };
layout(std430) readonly buffer means_block { float means[]; };
layout(std430) buffer dx_block { float dx[]; };
layout(std140) uniform Dispatch {
    uint y_first, dy_first, keep_first, variance_first, means_first, dx_first, count, width, dx_add;
    float epsilon;
};
#include "include/cells.glsl"

void main() {
    FOR_CELLS(i, count) {
        const uint c = i % width;
        float value = dy[dy_first + i];
        if (keep[keep_first + i / width] != 0.0)
            value -= means[means_first + c] + y[y_first + i] * means[means_first + width + c];
        value /= sqrt(variance[variance_first + c] + epsilon);
        dx[dx_first + i] = dx_add != 0u ? dx[dx_first + i] + value : value;
    }
}
