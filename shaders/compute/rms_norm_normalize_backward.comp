// dx (+)= (dy − y·mean(dy ⊙ y)) / scale, row by row: the scale is a function of x.
#include "include/rows.glsl"
#include "include/elementary.glsl"
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
        float inner = 0.0;
        FOR_LANE_CELLS(j, width) inner += dy[dy_first + row + j] * y[y_first + row + j];
        inner = row_sum(inner) / float(width);
        const float factor = 1.0 / scale[scale_first + r];
        if (ROW_IS_REAL(rows)) {
            FOR_LANE_CELLS(j, width) {
                float value = (dy[dy_first + row + j] - y[y_first + row + j] * inner) * factor;
                dx[dx_first + row + j] = dx_add != 0u ? dx[dx_first + row + j] + value : value;
            }
        }
    }
}
