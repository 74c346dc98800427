// sum[c] (+)= Σ_r x[r, c].
layout(std430) readonly buffer x_block { float x[]; };
layout(std430) buffer sum_block { float sum[]; };
layout(std140) uniform Dispatch {
    uint x_first, sum_first, rows, columns, sum_add;
};

float term(uint r, uint c) { return x[x_first + r * columns + c]; }
#include "include/column_sums.glsl"
