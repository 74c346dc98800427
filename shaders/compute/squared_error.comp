// losses = w·mean (p − t)², row by row; 0 for rows of weight 0, whatever they hold.
#include "include/rows.glsl"
#include "include/elementary.glsl"
layout(std430) readonly buffer prediction_block { float prediction[]; };
layout(std430) readonly buffer target_block { float target[]; };
layout(std430) readonly buffer weights_block { float weights[]; };
layout(std430) writeonly buffer losses_block { float losses[]; };
layout(std140) uniform Dispatch {
    uint prediction_first, target_first, weights_first, losses_first, rows, width;
};

void main() {
    FOR_ROWS(r, rows) {
        float sum = 0.0;
        FOR_LANE_CELLS(j, width) {
            const float error = prediction[prediction_first + r * width + j] - target[target_first + r * width + j];
            sum += error * error;
        }
        sum = row_sum(sum) / float(width);
        const float weight = weights[weights_first + r];
        if (ROW_IS_REAL(rows) && FIRST_LANE) losses[losses_first + r] = weight == 0.0 ? 0.0 : weight * sum;
    }
}
