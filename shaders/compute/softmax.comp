// y = e^(x − max) / Σ e^(x − max), row by row. A row that is −∞ throughout becomes zeros.
#include "include/rows.glsl"
#include "include/elementary.glsl"
layout(std430) readonly buffer x_block { float x[]; };
layout(std430) buffer y_block { float y[]; };
layout(std140) uniform Dispatch {
    uint x_first, y_first, rows, width;
};

void main() {
    FOR_ROWS(r, rows) {
        const uint from = x_first + r * width, to = y_first + r * width;
        float top = minus_infinity;
        FOR_LANE_CELLS(j, width) top = max(top, x[from + j]);
        top = row_max(top);
        if (isinf(top)) top = 0.0;
        float sum = 0.0;
        FOR_LANE_CELLS(j, width) sum += exp_of(x[from + j] - top);
        sum = row_sum(sum);
        const float factor = sum > 0.0 ? 1.0 / sum : 0.0;
        if (ROW_IS_REAL(rows)) {
            FOR_LANE_CELLS(j, width) y[to + j] = exp_of(x[from + j] - top) * factor;
        }
    }
}
