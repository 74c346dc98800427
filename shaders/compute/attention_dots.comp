// The second number of each query of attention in one op: Σ dz ⊙ z over the width of its head, which the softmax's
// gradient subtracts from that of every key (equal to Σ dp ⊙ p over the keys).
layout(local_size_x = 64) in;
layout(std430) readonly buffer z_block { float z[]; };
layout(std430) readonly buffer dz_block { float dz[]; };
layout(std430) buffer rows_block { float rows[]; };
layout(std140) uniform Dispatch {
    uint z_first, dz_first, rows_first, count, heads, queries, width;
};
#include "include/cells.glsl"

void main() {
    // count: sentences · heads · queries; z is stored as [B, queries, heads, width].
    FOR_CELLS(i, count) {
        const uint query = i % queries, head = i / queries % heads, sentence = i / (queries * heads);
        const uint begin = ((sentence * queries + query) * heads + head) * width;
        float sum = 0.0;
        for (uint j = 0u; j < width; ++j) sum += dz[dz_first + begin + j] * z[z_first + begin + j];
        rows[rows_first + 2u * i + 1u] = sum;
    }
}
