// The product of product.glsl for graphics cards: a group of 16 × 16 invocations computes TILE × TILE results and
// copies the lines that the whole group reads into shared memory, 16 steps of the depth at a time. Each invocation
// keeps results of PER rows and columns in registers: four by four, in blocks that are 64 apart.
layout(local_size_x = 16, local_size_y = 16) in;
#define PER (TILE / 16)
#define STEP 16u
// Rows of a tile are aligned to 16 bytes, and spread over the banks.
#define TILE_STRIDE (TILE + 4)

shared float a_tile[16 * TILE_STRIDE];
shared float b_tile[16 * TILE_STRIDE];

// a_tile[k, r] = a[row + r, depth_first + k], zeros beyond the depth; b_tile[k, s] = b[depth_first + k, column + s].
void bring_a(uint begin, uint row, uint depth_first) {
    for (uint q = gl_LocalInvocationIndex; q < uint(TILE) * STEP / 4u; q += 256u) {
#if A_TURNED
        const uint k = q / uint(TILE / 4), r = q % uint(TILE / 4) * 4u;
        vec4 cells = read_a(begin + min(depth_first + k, depth - 1u) * a_stride, row + r, rows);
        if (depth_first + k >= depth) cells = vec4(0.0);
        for (uint i = 0u; i < 4u; ++i) a_tile[k * TILE_STRIDE + r + i] = cells[i];
#else
        const uint r = q / (STEP / 4u), k = q % (STEP / 4u) * 4u;
        const vec4 cells = read_a(begin + min(row + r, rows - 1u) * a_stride, depth_first + k, depth);
        for (uint i = 0u; i < 4u; ++i)
            a_tile[(k + i) * TILE_STRIDE + r] = depth_first + k + i < depth ? cells[i] : 0.0;
#endif
    }
}
void bring_b(uint begin, uint column, uint depth_first) {
    for (uint q = gl_LocalInvocationIndex; q < uint(TILE) * STEP / 4u; q += 256u) {
#if B_TURNED
        const uint s = q / (STEP / 4u), k = q % (STEP / 4u) * 4u;
        const vec4 cells = read_b(begin + min(column + s, columns - 1u) * b_stride, depth_first + k, depth);
        for (uint i = 0u; i < 4u; ++i) b_tile[(k + i) * TILE_STRIDE + s] = cells[i];
#else
        const uint k = q / uint(TILE / 4), s = q % uint(TILE / 4) * 4u;
        const vec4 cells = read_b(begin + min(depth_first + k, depth - 1u) * b_stride, column + s, columns);
        for (uint i = 0u; i < 4u; ++i) b_tile[k * TILE_STRIDE + s + i] = cells[i];
#endif
    }
}

vec4 four_of_a(uint at) { return vec4(a_tile[at], a_tile[at + 1u], a_tile[at + 2u], a_tile[at + 3u]); }
vec4 four_of_b(uint at) { return vec4(b_tile[at], b_tile[at + 1u], b_tile[at + 2u], b_tile[at + 3u]); }

void main() {
    const uint row = gl_WorkGroupID.y * uint(TILE), column = gl_WorkGroupID.x * uint(TILE);
    const uint outer = gl_WorkGroupID.z / inner_count, inner = gl_WorkGroupID.z % inner_count;
    const uint a_begin = a_first + outer * a_outer + inner * a_inner,
               b_begin = b_first + outer * b_outer + inner * b_inner,
               c_begin = c_first + outer * c_outer + inner * c_inner;
    const uint my_row = gl_LocalInvocationID.y * 4u, my_column = gl_LocalInvocationID.x * 4u;
    vec4 sums[PER][PER / 4];
    for (int i = 0; i < PER; ++i)
        for (int j = 0; j < PER / 4; ++j) sums[i][j] = vec4(0.0);
    for (uint depth_first = 0u; depth_first < depth; depth_first += STEP) {
        bring_a(a_begin, row, depth_first);
        bring_b(b_begin, column, depth_first);
        barrier();
        for (uint k = 0u; k < STEP; ++k) {
            vec4 right[PER / 4];
            for (int j = 0; j < PER / 4; ++j) right[j] = four_of_b(k * TILE_STRIDE + my_column + uint(j) * 64u);
            for (int block = 0; block < PER / 4; ++block) {
                const vec4 left = four_of_a(k * TILE_STRIDE + my_row + uint(block) * 64u);
                for (int i = 0; i < 4; ++i)
                    for (int j = 0; j < PER / 4; ++j) sums[block * 4 + i][j] += left[i] * right[j];
            }
        }
        barrier();
    }
    for (int i = 0; i < PER; ++i)
        for (int j = 0; j < PER / 4; ++j)
            write(c_begin, row + uint(i / 4) * 64u + my_row + uint(i % 4), column + uint(j) * 64u + my_column,
                  sums[i][j]);
}
