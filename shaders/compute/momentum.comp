// Momentum (Polyak 1964): m ← μm + g + λw,  w ← w − lr·m, with g clipped.
layout(local_size_x = 64) in;
layout(std430) buffer w_block { float w[]; };
layout(std430) readonly buffer g_block { float g[]; };
layout(std430) buffer m_block { float m[]; };
layout(std430) readonly buffer decay_block { float decay[]; };
layout(std430) readonly buffer numbers_block { float numbers[]; };
layout(std430) readonly buffer report_block { float report[]; };
layout(std140) uniform Dispatch {
    uint w_first, g_first, m_first, decay_first, numbers_first, report_first, count;
};
#include "include/cells.glsl"
#include "include/update.glsl"

void main() {
    const float factor = report[report_first + 2u];
    if (factor < 0.0) return;
    FOR_CELLS(i, count) {
        const float before = w[w_first + i];
        const float mean = MOMENTUM * m[m_first + i] + (factor * g[g_first + i] + decay_of(i) * before);
        m[m_first + i] = mean;
        w[w_first + i] = before - LEARNING_RATE * mean;
    }
}
