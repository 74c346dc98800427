// dp (+)= 2w·(p − t)·dy / (D·Σ w).
layout(local_size_x = 64) in;
layout(std430) readonly buffer prediction_block { float prediction[]; };
layout(std430) readonly buffer target_block { float target[]; };
layout(std430) readonly buffer weights_block { float weights[]; };
layout(std430) readonly buffer total_block { float total[]; };
layout(std430) readonly buffer dy_block { float dy[]; };
layout(std430) buffer dp_block { float dp[]; };
layout(std140) uniform Dispatch {
    uint prediction_first, target_first, weights_first, total_first, dy_first, dp_first, count, width, dp_add;
};
#include "include/cells.glsl"

void main() {
    const float all = total[total_first], upstream = all > 0.0 ? 2.0 * dy[dy_first] / (all * float(width)) : 0.0;
    FOR_CELLS(i, count) {
        const float factor = weights[weights_first + i / width] * upstream;
        float value = 0.0;
        if (factor != 0.0) value = factor * (prediction[prediction_first + i] - target[target_first + i]);
        dp[dp_first + i] = dp_add != 0u ? dp[dp_first + i] + value : value;
    }
}
