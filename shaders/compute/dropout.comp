// y (+)= x / (1 − rate) where a cell is kept and 0 where it is dropped; x itself outside training. Backward is the same
// map: it decides again which cells were dropped. The hash is that of core/ops/dropout_hash.h.
layout(local_size_x = 64) in;
layout(std430) readonly buffer x_block { float x[]; };
layout(std430) readonly buffer state_block { float state[]; };
layout(std430) buffer y_block { float y[]; };
layout(std140) uniform Dispatch {
    uint x_first, state_first, y_first, count, y_add, stream, threshold;
    float factor;
};
#include "include/cells.glsl"

uint dropout_hash(uint seed, uint step, uint stream_number, uint cell) {
    uvec4 v = uvec4(seed, step, stream_number, cell) * 1664525u + 1013904223u;
    v.x += v.y * v.w;
    v.y += v.z * v.x;
    v.z += v.x * v.y;
    v.w += v.y * v.z;
    v ^= v >> 16u;
    return v.x + v.y * v.w;
}

void main() {
    const bool training = state[state_first] != 0.0;
    const uint step = uint(state[state_first + 1u]), seed = uint(state[state_first + 2u]);
    FOR_CELLS(i, count) {
        float value = x[x_first + i];
        if (training) value = dropout_hash(seed, step, stream, i) >= threshold ? value * factor : 0.0;
        y[y_first + i] = y_add != 0u ? y[y_first + i] + value : value;
    }
}
