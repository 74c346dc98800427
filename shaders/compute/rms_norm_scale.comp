// scale = √(Σ x² / D + ε), row by row.
#include "include/rows.glsl"
#include "include/elementary.glsl"
layout(std430) readonly buffer x_block { float x[]; };
layout(std430) writeonly buffer scale_block { float scale[]; };
layout(std140) uniform Dispatch {
    uint x_first, scale_first, rows, width;
    float epsilon;
};

void main() {
    FOR_ROWS(r, rows) {
        float sum = 0.0;
        FOR_LANE_CELLS(j, width) sum += x[x_first + r * width + j] * x[x_first + r * width + j];
        sum = row_sum(sum);
        if (ROW_IS_REAL(rows) && FIRST_LANE) scale[scale_first + r] = sqrt(sum / float(width) + epsilon);
    }
}
