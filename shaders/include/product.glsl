// c[r, s] (+)= Σ_k a[r, k]·b[k, s] (+ bias[s]), for many pairs of matrices at once: gl_WorkGroupID.z counts the pairs,
// and pair z = outer · inner_count + inner begins outer · <name>_outer + inner · <name>_inner after <name>_first. The
// lines of a matrix are <name>_stride apart. A_TURNED: a is stored as [depth, rows]; B_TURNED: b as [columns, depth].
// A_QUADS, B_QUADS: lines begin at multiples of four and have a multiple of four cells, which are read four at a time.
// BIAS: bias[s] is added.
// TILE: 0 for tiles in registers only (product_registers.glsl), 64 or 128 for tiles of that many rows and columns in
// shared memory (product_tiled.glsl). Beyond an edge, the last line or cell is read and nothing is written.
#if A_QUADS
layout(std430) readonly buffer a_block { vec4 a[]; };
#else
layout(std430) readonly buffer a_block { float a[]; };
#endif
#if B_QUADS
layout(std430) readonly buffer b_block { vec4 b[]; };
#else
layout(std430) readonly buffer b_block { float b[]; };
#endif
#if BIAS
layout(std430) readonly buffer bias_block { float bias[]; };
#endif
layout(std430) buffer c_block { float c[]; };
layout(std140) uniform Dispatch {
    uint a_first, b_first, c_first, bias_first, c_add;
    uint rows, columns, depth;
    uint a_stride, b_stride, c_stride;
    uint inner_count, a_outer, a_inner, b_outer, b_inner, c_outer, c_inner;
};

const uvec4 four = uvec4(0u, 1u, 2u, 3u);

// Cells `at` … at + 3 of a line that begins at cell `begin` and has `cells` cells.
#define QUAD_READER(name, matrix) \
    vec4 name(uint begin, uint at, uint cells) { return matrix[(begin + min(at, cells - 4u)) / 4u]; }
#define CELL_READER(name, matrix)                                                \
    vec4 name(uint begin, uint at, uint cells) {                                 \
        uvec4 i = begin + min(at + four, uvec4(cells - 1u));                     \
        return vec4(matrix[i.x], matrix[i.y], matrix[i.z], matrix[i.w]);         \
    }
#if A_QUADS
QUAD_READER(read_a, a)
#else
CELL_READER(read_a, a)
#endif
#if B_QUADS
QUAD_READER(read_b, b)
#else
CELL_READER(read_b, b)
#endif

void write(uint begin, uint row, uint column, vec4 sums) {
    if (row >= rows) return;
    for (uint i = 0u; i < 4u && column + i < columns; ++i) {
        const uint at = begin + row * c_stride + column + i;
        float value = sums[i];
#if BIAS
        value += bias[bias_first + column + i];
#endif
        c[at] = c_add != 0u ? c[at] + value : value;
    }
}

#if TILE
#include "include/product_tiled.glsl"
#else
#include "include/product_registers.glsl"
#endif
