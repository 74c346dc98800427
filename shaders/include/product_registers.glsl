// The product of product.glsl where barriers cost more than they save (on a processor), and for small matrices: each
// invocation keeps a tile of 4 × 4 results in registers and walks the depth by four.
layout(local_size_x = 8, local_size_y = 8) in;

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
