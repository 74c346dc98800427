// AdamW (Loshchilov & Hutter 2019):  m ← β₁m + (1−β₁)g,  v ← β₂v + (1−β₂)g²,  w ← w − lr·(m̂/(√v̂ + ε) + λw), with g
// clipped. rates = lr, 1/(1−β₁ᵗ), 1/(1−β₂ᵗ); report[2] is the factor of clipping (gradient_norm.comp); decay holds λ
// for each 16 cells, since every parameter begins such a block.
layout(local_size_x = 64) in;
layout(std430) buffer w_block { float w[]; };
layout(std430) readonly buffer g_block { float g[]; };
layout(std430) buffer m_block { float m[]; };
layout(std430) buffer v_block { float v[]; };
layout(std430) readonly buffer decay_block { float decay[]; };
layout(std430) readonly buffer rates_block { float rates[]; };
layout(std430) readonly buffer report_block { float report[]; };
layout(std140) uniform Dispatch {
    uint w_first, g_first, m_first, v_first, decay_first, rates_first, report_first, count;
    float beta1, beta2, epsilon;
};
#include "include/cells.glsl"

void main() {
    const float factor = report[report_first + 2u];
    if (factor < 0.0) return;
    const float rate = rates[rates_first], m_scale = rates[rates_first + 1u], v_scale = rates[rates_first + 2u];
    FOR_CELLS(i, count) {
        const float gradient = factor * g[g_first + i];
        const float mean = beta1 * m[m_first + i] + (1.0 - beta1) * gradient;
        const float square = beta2 * v[v_first + i] + (1.0 - beta2) * gradient * gradient;
        m[m_first + i] = mean;
        v[v_first + i] = square;
        const float before = w[w_first + i];
        w[w_first + i] = before - rate * (mean * m_scale / (sqrt(square * v_scale) + epsilon) +
                                          decay[decay_first + i / 16u] * before);
    }
}
