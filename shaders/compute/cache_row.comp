// y = the cache with the row written at its position; a position outside the cache changes nothing.
layout(local_size_x = 64) in;
layout(std430) readonly buffer cache_block { float cache[]; };
layout(std430) readonly buffer row_block { float row[]; };
layout(std430) readonly buffer position_block { float position[]; };
layout(std430) buffer y_block { float y[]; };
layout(std140) uniform Dispatch {
    uint cache_first, row_first, position_first, y_first, count, width;
};
#include "include/cells.glsl"

void main() {
    const int place = int(position[position_first]);
    FOR_CELLS(i, count)
        y[y_first + i] = int(i / width) == place ? row[row_first + i % width] : cache[cache_first + i];
}
