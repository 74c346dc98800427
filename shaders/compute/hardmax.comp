// y = 1 at the first of the largest cells of a row, 0 elsewhere; zeros where all are −∞.
#include "include/rows.glsl"
#include "include/elementary.glsl"
layout(std430) readonly buffer x_block { float x[]; };
layout(std430) writeonly buffer y_block { float y[]; };
layout(std140) uniform Dispatch {
    uint x_first, y_first, rows, width;
};

void main() {
    FOR_ROWS(r, rows) {
        const uint from = x_first + r * width, to = y_first + r * width;
        float top = minus_infinity;
        FOR_LANE_CELLS(j, width) top = max(top, x[from + j]);
        top = row_max(top);
        // The first place that holds it is the largest of the negated places, which floats hold exactly up to 2^24.
        float place = minus_infinity;
        FOR_LANE_CELLS(j, width) if (x[from + j] == top) place = max(place, -float(j));
        place = row_max(place);
        if (ROW_IS_REAL(rows)) {
            FOR_LANE_CELLS(j, width) y[to + j] = top > minus_infinity && -float(j) == place ? 1.0 : 0.0;
        }
    }
}
