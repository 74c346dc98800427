// h_p = tanh(x_p + h_{p−1}·W + b) at one position of every sentence; h_{−1} = 0.
layout(local_size_x = 64) in;
layout(std430) readonly buffer x_block { float x[]; };
layout(std430) readonly buffer w_block { float w[]; };
layout(std430) readonly buffer b_block { float b[]; };
layout(std430) buffer h_block { float h[]; };
layout(std140) uniform Dispatch {
    uint x_first, w_first, b_first, h_first, count, positions, width, position;
};
#include "include/cells.glsl"
#include "include/elementary.glsl"

void main() {
    FOR_CELLS(i, count) {
        const uint c = i % width, row = (i / width * positions + position) * width;
        float sum = x[x_first + row + c] + b[b_first + c];
        for (uint j = 0u; position > 0u && j < width; ++j)
            sum += h[h_first + row - width + j] * w[w_first + j * width + c];
        h[h_first + row + c] = tanh_of(sum);
    }
}
