// dx (+)= dy where the key is seen, 0 elsewhere.
layout(local_size_x = 64) in;
layout(std430) readonly buffer dy_block { float dy[]; };
layout(std430) buffer dx_block { float dx[]; };
layout(std140) uniform Dispatch {
    uint dy_first, dx_first, count, queries, keys, window, dx_add;
};
#include "include/cells.glsl"

void main() {
    FOR_CELLS(i, count) {
        const int key = int(i % keys), query = int(i / keys % queries);
        const bool near = abs(key - (int(keys) - int(queries)) - query) < int(window);
        float value = near ? dy[dy_first + i] : 0.0;
        dx[dx_first + i] = dx_add != 0u ? dx[dx_first + i] + value : value;
    }
}
