// h_p = (1 − z) ⊙ n + z ⊙ h_{p−1} at one position of every sentence; h_{−1} = 0.
layout(local_size_x = 64) in;
layout(std430) readonly buffer x_block { float x[]; };
layout(std430) readonly buffer w_block { float w[]; };
layout(std430) readonly buffer b_block { float b[]; };
layout(std430) buffer h_block { float h[]; };
layout(std140) uniform Dispatch {
    uint x_first, w_first, b_first, h_first, count, positions, width, position;
};
#include "include/cells.glsl"
#include "include/gru.glsl"

// g = b + h·W for feature c, where h is the state that begins at `from`; b alone if there is no state before.
vec3 state_part(uint c, uint from, bool has_state) {
    vec3 g = vec3(b[b_first + c], b[b_first + width + c], b[b_first + 2u * width + c]);
    for (uint j = 0u; has_state && j < width; ++j) {
        const uint at = w_first + j * 3u * width + c;
        g += h[from + j] * vec3(w[at], w[at + width], w[at + 2u * width]);
    }
    return g;
}

void main() {
    FOR_CELLS(i, count) {
        const uint c = i % width, row = i / width * positions + position, to = h_first + row * width + c;
        const uint at = x_first + row * 3u * width + c;
        const vec3 g = state_part(c, h_first + (row - 1u) * width, position > 0u);
        const vec3 gates = gru_gates_of(vec3(x[at], x[at + width], x[at + 2u * width]), g);
        const float before = position > 0u ? h[to - width] : 0.0;
        h[to] = (1.0 - gates.y) * gates.z + gates.y * before;
    }
}
