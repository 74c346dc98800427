// da_p = (dh_p + da_{p+1}·Wᵀ) ⊙ (1 − h_p²) at one position of every sentence; after the last position, da is 0.
layout(local_size_x = 64) in;
layout(std430) readonly buffer w_block { float w[]; };
layout(std430) readonly buffer h_block { float h[]; };
layout(std430) readonly buffer dh_block { float dh[]; };
layout(std430) buffer da_block { float da[]; };
layout(std140) uniform Dispatch {
    uint w_first, h_first, dh_first, da_first, count, positions, width, position;
};
#include "include/cells.glsl"

void main() {
    FOR_CELLS(i, count) {
        const uint c = i % width, row = (i / width * positions + position) * width;
        float sum = dh[dh_first + row + c];
        for (uint j = 0u; position + 1u < positions && j < width; ++j)
            sum += da[da_first + row + width + j] * w[w_first + c * width + j];
        const float state = h[h_first + row + c];
        da[da_first + row + c] = sum * (1.0 - state * state);
    }
}
