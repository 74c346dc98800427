// dx (+)= y ⊙ (dy − Σ dy ⊙ y), row by row.
#include "include/rows.glsl"
layout(std430) readonly buffer y_block { float y[]; };
layout(std430) readonly buffer dy_block { float dy[]; };
layout(std430) buffer dx_block { float dx[]; };
layout(std140) uniform Dispatch {
    uint y_first, dy_first, dx_first, rows, width, dx_add;
};

void main() {
    FOR_ROWS(r, rows) {
        const uint row = r * width;
        float inner = 0.0;
        FOR_LANE_CELLS(j, width) inner += dy[dy_first + row + j] * y[y_first + row + j];
        inner = row_sum(inner);
        if (ROW_IS_REAL(rows)) {
            FOR_LANE_CELLS(j, width) {
                float value = y[y_first + row + j] * (dy[dy_first + row + j] - inner);
                dx[dx_first + row + j] = dx_add != 0u ? dx[dx_first + row + j] + value : value;
            }
        }
    }
}
