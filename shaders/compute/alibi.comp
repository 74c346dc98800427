// y = x − slope_h · |key − (P_k − P_q) − query|,  slope_h = 2^(−8(h + 1)/H); with at_place, place[0] is the position of
// the one query.
layout(local_size_x = 64) in;
layout(std430) readonly buffer x_block { float x[]; };
layout(std430) readonly buffer place_block { float place[]; };
layout(std430) buffer y_block { float y[]; };
layout(std140) uniform Dispatch {
    uint x_first, place_first, y_first, count, heads, queries, keys, at_place;
};
#include "include/cells.glsl"
#include "include/elementary.glsl"

void main() {
    FOR_CELLS(i, count) {
        const uint key = i % keys, query = i / keys % queries, head = i / (keys * queries) % heads;
        const float slope = exp_of(-8.0 * float(head + 1u) / float(heads) * 0.693147180559945309);
        const int own = at_place != 0u ? int(place[place_first]) : int(query + keys) - int(queries);
        const float distance = abs(float(int(key) - own));
        y[y_first + i] = x[x_first + i] - slope * distance;
    }
}
