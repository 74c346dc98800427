// broken[0] becomes 1 if a cell of x is an infinity or NaN; otherwise it is left alone. Invocations may write it
// concurrently: all of them write the same.
layout(local_size_x = 64) in;
layout(std430) readonly buffer x_block { float x[]; };
layout(std430) buffer broken_block { float broken[]; };
layout(std140) uniform Dispatch {
    uint x_first, broken_first, count;
};
#include "include/cells.glsl"

void main() {
    // The exponent is then all ones, so adding one to it reaches the sign bit.
    uint reached = 0u;
    FOR_CELLS(i, count) reached |= (floatBitsToUint(x[x_first + i]) & 0x7fffffffu) + 0x00800000u;
    if ((reached & 0x80000000u) != 0u) broken[broken_first] = 1.0;
}
