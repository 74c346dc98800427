// r, z, n at every position, from the states.
layout(local_size_x = 64) in;
layout(std430) readonly buffer x_block { float x[]; };
layout(std430) readonly buffer h_block { float h[]; };
layout(std430) readonly buffer w_block { float w[]; };
layout(std430) readonly buffer b_block { float b[]; };
layout(std430) buffer gates_block { float gates[]; };
layout(std140) uniform Dispatch {
    uint x_first, h_first, w_first, b_first, gates_first, count, positions, width;
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
        const uint c = i % width, row = i / width, at = row * 3u * width + c;
        const vec3 g = state_part(c, h_first + (row - 1u) * width, row % positions > 0u);
        const uint from = x_first + at, to = gates_first + at;
        const vec3 value = gru_gates_of(vec3(x[from], x[from + width], x[from + 2u * width]), g);
        gates[to] = value.x;
        gates[to + width] = value.y;
        gates[to + 2u * width] = value.z;
    }
}
