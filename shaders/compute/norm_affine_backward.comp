// dx (+)= dy ⊙ γ. norm_affine_sums.comp computes the sums for γ and β.
layout(local_size_x = 64) in;
layout(std430) readonly buffer dy_block { float dy[]; };
layout(std430) readonly buffer gamma_block { float gamma[]; };
layout(std430) buffer dx_block { float dx[]; };
layout(std140) uniform Dispatch {
    uint dy_first, gamma_first, dx_first, count, period, dx_add;
};
#include "include/cells.glsl"

void main() {
    FOR_CELLS(i, count) {
        float value = dy[dy_first + i] * gamma[gamma_first + i % period];
        dx[dx_first + i] = dx_add != 0u ? dx[dx_first + i] + value : value;
    }
}
