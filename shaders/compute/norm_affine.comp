// y = γ·x + β. γ and β hold one number for each feature, or one for all; β may be missing.
layout(local_size_x = 64) in;
layout(std430) readonly buffer x_block { float x[]; };
layout(std430) readonly buffer gamma_block { float gamma[]; };
#if BETA
layout(std430) readonly buffer beta_block { float beta[]; };
#endif
layout(std430) buffer y_block { float y[]; };
layout(std140) uniform Dispatch {
    uint x_first, gamma_first, beta_first, y_first, count, period;
};
#include "include/cells.glsl"

void main() {
    FOR_CELLS(i, count) {
        float value = x[x_first + i] * gamma[gamma_first + i % period];
#if BETA
        value += beta[beta_first + i % period];
#endif
        y[y_first + i] = value;
    }
}
