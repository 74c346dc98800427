// y = Σ x, by one work group.
layout(local_size_x = 64) in;
layout(std430) readonly buffer x_block { float x[]; };
layout(std430) writeonly buffer y_block { float y[]; };
layout(std140) uniform Dispatch {
    uint x_first, y_first, count;
};
shared float parts[64];

void main() {
    const uint lane = gl_LocalInvocationID.x;
    float part = 0.0;
    for (uint i = lane; i < count; i += 64u) part += x[x_first + i];
    parts[lane] = part;
    barrier();
    if (lane != 0u) return;
    for (uint i = 1u; i < 64u; ++i) part += parts[i];
    y[y_first] = part;
}
