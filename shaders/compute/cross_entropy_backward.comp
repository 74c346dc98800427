// dx (+)= dy·w·(softmax(x) − onehot(target)) / Σ w, row by row.
#include "include/rows.glsl"
#include "include/elementary.glsl"
layout(std430) readonly buffer logits_block { float logits[]; };
layout(std430) readonly buffer targets_block { float targets[]; };
layout(std430) readonly buffer weights_block { float weights[]; };
layout(std430) readonly buffer total_block { float total[]; };
layout(std430) readonly buffer dy_block { float dy[]; };
layout(std430) buffer dx_block { float dx[]; };
layout(std140) uniform Dispatch {
    uint logits_first, targets_first, weights_first, total_first, dy_first, dx_first, rows, width, dx_add;
};

void main() {
    const float all = total[total_first], upstream = all > 0.0 ? dy[dy_first] / all : 0.0;
    FOR_ROWS(r, rows) {
        const uint row = logits_first + r * width;
        float top = minus_infinity;
        FOR_LANE_CELLS(j, width) top = max(top, logits[row + j]);
        top = row_max(top);
        float sum = 0.0;
        FOR_LANE_CELLS(j, width) sum += exp_of(logits[row + j] - top);
        sum = row_sum(sum);
        const float factor = weights[weights_first + r] * upstream;
        if (ROW_IS_REAL(rows)) {
            const uint target = uint(targets[targets_first + r]);
            FOR_LANE_CELLS(j, width) {
                float value = factor == 0.0 ? 0.0 : factor * (exp_of(logits[row + j] - top) / sum - float(j == target));
                const uint to = dx_first + r * width + j;
                dx[to] = dx_add != 0u ? dx[to] + value : value;
            }
        }
    }
}
