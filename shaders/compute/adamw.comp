// AdamW (Loshchilov & Hutter 2019):  m ← β₁m + (1−β₁)g,  v ← β₂v + (1−β₂)g²,  w ← w − lr·(m̂/(√v̂ + ε) + λw), with g
// clipped.
layout(local_size_x = 64) in;
layout(std430) buffer w_block { float w[]; };
layout(std430) readonly buffer g_block { float g[]; };
layout(std430) buffer m_block { float m[]; };
layout(std430) buffer v_block { float v[]; };
layout(std430) readonly buffer decay_block { float decay[]; };
layout(std430) readonly buffer numbers_block { float numbers[]; };
layout(std430) readonly buffer report_block { float report[]; };
layout(std140) uniform Dispatch {
    uint w_first, g_first, m_first, v_first, decay_first, numbers_first, report_first, count;
};
#include "include/cells.glsl"
#include "include/update.glsl"

void main() {
    const float factor = report[report_first + 2u];
    if (factor < 0.0) return;
    FOR_CELLS(i, count) {
        const float before = w[w_first + i];
        const float gradient = factor * g[g_first + i];
        const float mean = BETA1 * m[m_first + i] + (1.0 - BETA1) * gradient;
        const float square = BETA2 * v[v_first + i] + (1.0 - BETA2) * gradient * gradient;
        m[m_first + i] = mean;
        v[v_first + i] = square;
        w[w_first + i] =
            before - LEARNING_RATE * (mean * M_SCALE / (sqrt(square * V_SCALE) + EPSILON) + decay_of(i) * before);
    }
}
