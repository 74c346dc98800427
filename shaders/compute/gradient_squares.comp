// partial[group] = Σ g² over the cells that the group visits.
layout(local_size_x = 64) in;
layout(std430) readonly buffer g_block { float g[]; };
layout(std430) writeonly buffer partial_block { float partial[]; };
layout(std140) uniform Dispatch {
    uint g_first, partial_first, count;
};
#include "include/cells.glsl"
shared float parts[64];

void main() {
    float sum = 0.0;
    FOR_CELLS(i, count) sum += g[g_first + i] * g[g_first + i];
    parts[gl_LocalInvocationID.x] = sum;
    barrier();
    if (gl_LocalInvocationID.x != 0u) return;
    for (uint i = 1u; i < 64u; ++i) sum += parts[i];
    partial[partial_first + gl_WorkGroupID.x] = sum;
}
