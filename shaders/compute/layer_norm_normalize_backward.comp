// dx (+)= (dy − mean(dy) − y·mean(dy ⊙ y)) / scale, row by row: both statistics are functions of x.
#include "include/rows.glsl"
layout(std430) readonly buffer y_block { float y[]; };
layout(std430) readonly buffer scale_block { float scale[]; };
layout(std430) readonly buffer dy_block { float dy[]; };
layout(std430) buffer dx_block { float dx[]; };
layout(std140) uniform Dispatch {
    uint y_first, scale_first, dy_first, dx_first, rows, width, dx_add;
};

void main() {
    FOR_ROWS(r, rows) {
        const uint row = r * width;
        float sum = 0.0, inner = 0.0;
        FOR_LANE_CELLS(j, width) {
            const float d = dy[dy_first + row + j];
            sum += d;
            inner += d * y[y_first + row + j];
        }
        sum = row_sum(sum) / float(width);
        inner = row_sum(inner) / float(width);
        const float factor = 1.0 / scale[scale_first + r];
        if (ROW_IS_REAL(rows)) {
            FOR_LANE_CELLS(j, width) {
                float value = (dy[dy_first + row + j] - sum - y[y_first + row + j] * inner) * factor;
                dx[dx_first + row + j] = dx_add != 0u ? dx[dx_first + row + j] + value : value;
            }
        }
    }
}
