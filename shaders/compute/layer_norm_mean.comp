// mean = Σ x / D, row by row.
#include "include/rows.glsl"
layout(std430) readonly buffer x_block { float x[]; };
layout(std430) writeonly buffer mean_block { float mean[]; };
layout(std140) uniform Dispatch {
    uint x_first, mean_first, rows, width;
};

void main() {
    FOR_ROWS(r, rows) {
        float sum = 0.0;
        FOR_LANE_CELLS(j, width) sum += x[x_first + r * width + j];
        sum = row_sum(sum);
        if (ROW_IS_REAL(rows) && FIRST_LANE) mean[mean_first + r] = sum / float(width);
    }
}
