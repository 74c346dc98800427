// Every cell becomes `value`.
layout(local_size_x = 64) in;
layout(std430) writeonly buffer y_block { float y[]; };
layout(std140) uniform Dispatch {
    uint y_first, count;
    float value;
};
#include "include/cells.glsl"

void main() {
    FOR_CELLS(i, count) y[y_first + i] = value;
}
