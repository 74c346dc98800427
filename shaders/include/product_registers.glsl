// The product of product.glsl where barriers cost more than they save (on a processor), and for small matrices: each
// invocation keeps a tile of 4 × 4 results in registers and walks the depth by four.
layout(local_size_x = 8, local_size_y = 8) in;

// Column i of the result is cells first … first + 3 of line i; the lines begin at cells begin.x … begin.w.
mat4 block_of_a(uvec4 begin, uint first, uint cells) {
    return mat4(read_a(begin.x, first, cells), read_a(begin.y, first, cells), read_a(begin.z, first, cells),
                read_a(begin.w, first, cells));
}
mat4 block_of_b(uvec4 begin, uint first, uint cells) {
    return mat4(read_b(begin.x, first, cells), read_b(begin.y, first, cells), read_b(begin.z, first, cells),
                read_b(begin.w, first, cells));
}

// Column i of the first is a[row + i, k … k + 3]; of the second, b[k + i, column … + 3].
mat4 tile_of_a(uint begin, uint row, uint k) {
#if A_TURNED
    return transpose(block_of_a(begin + min(k + four, uvec4(depth - 1u)) * a_stride, row, rows));
#else
    return block_of_a(begin + min(row + four, uvec4(rows - 1u)) * a_stride, k, depth);
#endif
}
mat4 tile_of_b(uint begin, uint k, uint column) {
#if B_TURNED
    return transpose(block_of_b(begin + min(column + four, uvec4(columns - 1u)) * b_stride, k, depth));
#else
    return block_of_b(begin + min(k + four, uvec4(depth - 1u)) * b_stride, column, columns);
#endif
}

void main() {
    const uint row = gl_GlobalInvocationID.y * 4u, column = gl_GlobalInvocationID.x * 4u;
    if (row >= rows || column >= columns) return;
    const uint outer = gl_WorkGroupID.z / inner_count, inner = gl_WorkGroupID.z % inner_count;
    const uint a_begin = a_first + outer * a_outer + inner * a_inner, b_begin = b_first + outer * b_outer + inner * b_inner,
               c_begin = c_first + outer * c_outer + inner * c_inner;
    mat4 sums = mat4(0.0);
    uint k = 0u;
    for (; k + 4u <= depth; k += 4u) sums += tile_of_b(b_begin, k, column) * tile_of_a(a_begin, row, k);
    if (k < depth) {
        // The cells beyond the depth do not count.
        const vec4 real = vec4(lessThan(k + four, uvec4(depth)));
        mat4 last = tile_of_a(a_begin, row, k);
        for (int i = 0; i < 4; ++i) last[i] *= real;
        sums += tile_of_b(b_begin, k, column) * last;
    }
    write(c_begin, row, column, sums[0]);
    write(c_begin, row + 1u, column, sums[1]);
    write(c_begin, row + 2u, column, sums[2]);
    write(c_begin, row + 3u, column, sums[3]);
}
