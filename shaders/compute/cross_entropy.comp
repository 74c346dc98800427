// losses = w·(log Σ e^x − x_target), row by row; 0 for rows of weight 0, whatever they hold.
#include "include/rows.glsl"
#include "include/elementary.glsl"
layout(std430) readonly buffer logits_block { float logits[]; };
layout(std430) readonly buffer targets_block { float targets[]; };
layout(std430) readonly buffer weights_block { float weights[]; };
layout(std430) writeonly buffer losses_block { float losses[]; };
layout(std140) uniform Dispatch {
    uint logits_first, targets_first, weights_first, losses_first, rows, width;
};

void main() {
    FOR_ROWS(r, rows) {
        const uint row = logits_first + r * width;
        float top = minus_infinity;
        FOR_LANE_CELLS(j, width) top = max(top, logits[row + j]);
        top = row_max(top);
        float sum = 0.0;
        FOR_LANE_CELLS(j, width) sum += exp_of(logits[row + j] - top);
        sum = row_sum(sum);
        if (ROW_IS_REAL(rows) && FIRST_LANE) {
            const float weight = weights[weights_first + r];
            const float target = logits[row + uint(targets[targets_first + r])];
            losses[losses_first + r] = weight == 0.0 ? 0.0 : weight * (log_of(sum) + top - target);
        }
    }
}
