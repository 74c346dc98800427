// One position of every sentence, from the last to the first. g holds h·W + b at the positions not yet processed, and
// dg at those already processed:
//   d = dh_p + carry + dg_{p+1}·Wᵀ,  dz = d∘(h_{p−1} − n)∘z(1 − z),  dn = d∘(1 − z)∘(1 − n²),  dr = dn∘g_n∘r(1 − r),
//   dx (+)= (dr, dz, dn),  dg = (dr, dz, dn∘r),  carry = d∘z
layout(local_size_x = 64) in;
layout(std430) readonly buffer x_block { float x[]; };
layout(std430) readonly buffer w_block { float w[]; };
layout(std430) readonly buffer previous_block { float previous[]; };
layout(std430) readonly buffer dh_block { float dh[]; };
layout(std430) buffer g_block { float g[]; };
layout(std430) buffer carry_block { float carry[]; };
#if DX
layout(std430) buffer dx_block { float dx[]; };
#endif
layout(std140) uniform Dispatch {
    uint x_first, w_first, previous_first, dh_first, g_first, carry_first, dx_first, dx_add;
    uint count, positions, width, position;
};
#include "include/cells.glsl"
#include "include/gru.glsl"

#if DX
void write_dx(uint at, float value) { dx[at] = dx_add != 0u ? dx[at] + value : value; }
#endif

void main() {
    FOR_CELLS(i, count) {
        const uint c = i % width, row = i / width * positions + position, wide = row * 3u * width + c;
        const uint gate = g_first + wide, from = x_first + wide;
        float d = dh[dh_first + row * width + c];
        if (position + 1u < positions) {
            d += carry[carry_first + i];
            const uint later = g_first + (row + 1u) * 3u * width, line = w_first + c * 3u * width;
            for (uint j = 0u; j < 3u * width; ++j) d += g[later + j] * w[line + j];
        }
        const float g_n = g[gate + 2u * width];
        const vec3 gates = gru_gates_of(vec3(x[from], x[from + width], x[from + 2u * width]),
                                        vec3(g[gate], g[gate + width], g_n));
        const float r = gates.x, z = gates.y, n = gates.z;
        const float dz = d * (previous[previous_first + row * width + c] - n) * z * (1.0 - z);
        const float dn = d * (1.0 - z) * (1.0 - n * n), dr = dn * g_n * r * (1.0 - r);
#if DX
        write_dx(dx_first + wide, dr);
        write_dx(dx_first + wide + width, dz);
        write_dx(dx_first + wide + 2u * width, dn);
#endif
        g[gate] = dr;
        g[gate + width] = dz;
        g[gate + 2u * width] = dn * r;
        carry[carry_first + i] = d * z;
    }
}
