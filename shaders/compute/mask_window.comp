// y = x, or −∞ where the key is `window` or more words away from the query. Where there are more keys than queries, the
// last key is the last query's own.
layout(local_size_x = 64) in;
layout(std430) readonly buffer x_block { float x[]; };
layout(std430) buffer y_block { float y[]; };
layout(std140) uniform Dispatch {
    uint x_first, y_first, count, queries, keys, window;
};
#include "include/cells.glsl"
#include "include/elementary.glsl"

void main() {
    FOR_CELLS(i, count) {
        const int key = int(i % keys), query = int(i / keys % queries);
        const bool near = abs(key - (int(keys) - int(queries)) - query) < int(window);
        y[y_first + i] = near ? x[x_first + i] : minus_infinity;
    }
}
