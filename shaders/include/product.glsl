// c[r, s] (+)= Σ_k a[r, k]·b[k, s] (+ bias[s]), for many pairs of matrices at once: gl_WorkGroupID.z counts the pairs,
// and pair z = outer · inner_count + inner begins outer · <name>_outer + inner · <name>_inner after <name>_first.
// The lines of a matrix lie <name>_stride apart. A_TURNED: a lies in memory as [depth, rows]; B_TURNED: b as
// [columns, depth]. A_QUADS, B_QUADS: lines begin at multiples of four and have a multiple of four cells, which are
// read four at a time. BIAS: bias[s] is added.
//
// Each invocation keeps a tile of 4 × 4 results in registers and walks the depth by four. What lies beyond an edge is
// read from the last line or cell and not written.
layout(local_size_x = 8, local_size_y = 8) in;
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
#if A_QUADS
vec4 read_a(uint begin, uint at, uint cells) { return a[(begin + min(at, cells - 4u)) / 4u]; }
#else
vec4 read_a(uint begin, uint at, uint cells) {
    uvec4 i = begin + min(at + four, uvec4(cells - 1u));
    return vec4(a[i.x], a[i.y], a[i.z], a[i.w]);
}
#endif
#if B_QUADS
vec4 read_b(uint begin, uint at, uint cells) { return b[(begin + min(at, cells - 4u)) / 4u]; }
#else
vec4 read_b(uint begin, uint at, uint cells) {
    uvec4 i = begin + min(at + four, uvec4(cells - 1u));
    return vec4(b[i.x], b[i.y], b[i.z], b[i.w]);
}
#endif

// Column i of the result is a[row + i, k … k + 3]; of the next, b[k + i, column … + 3].
mat4 block_of_a(uint begin, uint row, uint k) {
#if A_TURNED
    uvec4 line = begin + min(k + four, uvec4(depth - 1u)) * a_stride;
    return transpose(mat4(read_a(line.x, row, rows), read_a(line.y, row, rows), read_a(line.z, row, rows),
                          read_a(line.w, row, rows)));
#else
    uvec4 line = begin + min(row + four, uvec4(rows - 1u)) * a_stride;
    return mat4(read_a(line.x, k, depth), read_a(line.y, k, depth), read_a(line.z, k, depth),
                read_a(line.w, k, depth));
#endif
}
mat4 block_of_b(uint begin, uint k, uint column) {
#if B_TURNED
    uvec4 line = begin + min(column + four, uvec4(columns - 1u)) * b_stride;
    return transpose(mat4(read_b(line.x, k, depth), read_b(line.y, k, depth), read_b(line.z, k, depth),
                          read_b(line.w, k, depth)));
#else
    uvec4 line = begin + min(k + four, uvec4(depth - 1u)) * b_stride;
    return mat4(read_b(line.x, column, columns), read_b(line.y, column, columns), read_b(line.z, column, columns),
                read_b(line.w, column, columns));
#endif
}

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

void main() {
    const uint row = gl_GlobalInvocationID.y * 4u, column = gl_GlobalInvocationID.x * 4u;
    if (row >= rows || column >= columns) return;
    const uint outer = gl_WorkGroupID.z / inner_count, inner = gl_WorkGroupID.z % inner_count;
    const uint a_begin = a_first + outer * a_outer + inner * a_inner, b_begin = b_first + outer * b_outer + inner * b_inner,
               c_begin = c_first + outer * c_outer + inner * c_inner;
    mat4 sums = mat4(0.0);
    uint k = 0u;
    for (; k + 4u <= depth; k += 4u) sums += block_of_b(b_begin, k, column) * block_of_a(a_begin, row, k);
    if (k < depth) {
        // The cells beyond the depth count nothing.
        const vec4 real = vec4(lessThan(k + four, uvec4(depth)));
        mat4 last = block_of_a(a_begin, row, k);
        for (int i = 0; i < 4; ++i) last[i] *= real;
        sums += block_of_b(b_begin, k, column) * last;
    }
    write(c_begin, row, column, sums[0]);
    write(c_begin, row + 1u, column, sums[1]);
    write(c_begin, row + 2u, column, sums[2]);
    write(c_begin, row + 3u, column, sums[3]);
}
