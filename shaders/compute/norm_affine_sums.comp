// dγ[c] (+)= Σ_r dy[r, c]·x[r, c] with TIMES_X; otherwise dβ[c] (+)= Σ_r dy[r, c].
#if TIMES_X
layout(std430) readonly buffer x_block { float x[]; };
#endif
layout(std430) readonly buffer dy_block { float dy[]; };
layout(std430) buffer sum_block { float sum[]; };
layout(std140) uniform Dispatch {
    uint x_first, dy_first, sum_first, rows, columns, sum_add;
};

float term(uint r, uint c) {
    float value = dy[dy_first + r * columns + c];
#if TIMES_X
    value *= x[x_first + r * columns + c];
#endif
    return value;
}
#include "include/column_sums.glsl"
