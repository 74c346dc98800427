// y = x, or −∞ where the key comes after the query. Where there are more keys than queries, the last key is the last
// query's own.
layout(local_size_x = 64) in;
layout(std430) readonly buffer x_block { float x[]; };
layout(std430) buffer y_block { float y[]; };
layout(std140) uniform Dispatch {
    uint x_first, y_first, count, queries, keys;
};
#include "include/cells.glsl"
#include "include/elementary.glsl"

void main() {
    FOR_CELLS(i, count) {
        const uint key = i % keys, query = i / keys % queries;
        y[y_first + i] = key + queries <= query + keys ? x[x_first + i] : minus_infinity;
    }
}
