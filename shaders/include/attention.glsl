// Shared by the forward and backward shaders of attention in one op (core/backend/gl/fused_attention.h). An invocation
// holds ROWS rows of its own, queries or keys, in registers and walks over the other side four rows at a time; GROUP
// invocations form a work group, whose z counts the heads of all sentences.
// HEAD_QUADS, VALUE_QUADS: how many vec4 hold a row of q or k, and one of v or z. QUADS: rows are read four cells at a
// time. CAUSAL, ALIBI, MASKED: the stages that the chain has. OWN_KEYS: its own rows are keys.
layout(local_size_x = GROUP) in;
#if QUADS
#define CELL vec4
#else
#define CELL float
#endif

layout(std430) readonly buffer own_block { CELL own[]; };
layout(std430) readonly buffer other_block { CELL other[]; };
layout(std430) readonly buffer other_values_block { CELL other_values[]; };
#if MASKED
layout(std430) readonly buffer keep_block { float keep[]; };
#endif
layout(std430) buffer rows_block { float rows[]; };  // two numbers per query
layout(std430) buffer result_block { CELL result[]; };
layout(std140) uniform Dispatch {
    uint own_first, own_values_first, other_first, other_values_first, keep_first, rows_first, result_first, result_add;
    uint heads, queries, keys, head_width, value_width;
    float factor;
};
#include "include/elementary.glsl"

#if OWN_KEYS
#define OWN_COUNT keys
#define OTHER_COUNT queries
#else
#define OWN_COUNT queries
#define OTHER_COUNT keys
#endif

const uvec4 four = uvec4(0u, 1u, 2u, 3u);

// Cells 4·quad … of the row that begins at cell `begin`; zeros beyond its end.
#if QUADS
#define ROW_READER(name, cells) \
    vec4 name(uint begin, uint quad, uint width) { return cells[begin / 4u + quad]; }
#else
#define ROW_READER(name, cells)                                                                               \
    vec4 name(uint begin, uint quad, uint width) {                                                            \
        const uvec4 i = 4u * quad + four, at = begin + min(i, uvec4(width - 1u));                             \
        return mix(vec4(0.0), vec4(cells[at.x], cells[at.y], cells[at.z], cells[at.w]), lessThan(i, uvec4(width))); \
    }
#endif
ROW_READER(read_own, own)
ROW_READER(read_other, other)
ROW_READER(read_other_values, other_values)

// Where the rows of this invocation's head begin in [B, positions, heads, width]; beyond the last row, the last one.
uvec4 rows_at(uint first, uvec4 position, uint positions, uint width) {
    const uint sentence = gl_WorkGroupID.z / heads, head = gl_WorkGroupID.z % heads;
    return first + ((sentence * positions + min(position, uvec4(positions - 1u))) * heads + head) * width;
}
// The same for the queries' numbers.
uvec4 numbers_at(uvec4 query) { return rows_first + 2u * (gl_WorkGroupID.z * queries + min(query, uvec4(queries - 1u))); }

void write_result(uint begin, uint width, uint quad, vec4 value) {
#if QUADS
    const uint at = begin / 4u + quad;
    result[at] = result_add != 0u ? result[at] + value : value;
#else
    for (uint i = 0u; i < 4u && 4u * quad + i < width; ++i) {
        const uint at = begin + 4u * quad + i;
        result[at] = result_add != 0u ? result[at] + value[i] : value[i];
    }
#endif
}

// Dot products of each own row with four others.
vec4 own_row[ROWS * HEAD_QUADS];
vec4 products[ROWS];
void read_own_rows(uint first) {
    for (uint r = 0u; r < ROWS; ++r) {
        const uint begin = rows_at(own_first, uvec4(first + r), OWN_COUNT, head_width).x;
        for (uint i = 0u; i < HEAD_QUADS; ++i) own_row[r * HEAD_QUADS + i] = read_own(begin, i, head_width);
    }
}
void multiply_others(uint at) {
    const uvec4 begin = rows_at(other_first, at + four, OTHER_COUNT, head_width);
    for (uint r = 0u; r < ROWS; ++r) products[r] = vec4(0.0);
    for (uint i = 0u; i < HEAD_QUADS; ++i) {
        const mat4 others = mat4(read_other(begin.x, i, head_width), read_other(begin.y, i, head_width),
                                 read_other(begin.z, i, head_width), read_other(begin.w, i, head_width));
        for (uint r = 0u; r < ROWS; ++r) products[r] += own_row[r * HEAD_QUADS + i] * others;
    }
}

// What softmax gets for q·k of these pairs, before any cells are hidden.
vec4 scores_of(vec4 products_of_pairs, uvec4 query, uvec4 key) {
    vec4 s = factor * products_of_pairs;
#if ALIBI
    const float head = float(gl_WorkGroupID.z % heads + 1u);
    const float slope = exp_of(-8.0 * head / float(heads) * 0.693147180559945309);
    s -= slope * abs(vec4(ivec4(key + queries) - ivec4(query + keys)));
#endif
    return s;
}

// Which of these pairs exist and are let through by the masks.
bvec4 seen(uvec4 query, uvec4 key) {
    uvec4 pairs = uvec4(lessThan(query, uvec4(queries))) * uvec4(lessThan(key, uvec4(keys)));
#if CAUSAL
    pairs *= uvec4(lessThanEqual(key + queries, query + keys));
#endif
#if MASKED
    const uvec4 at = keep_first + gl_WorkGroupID.z / heads * keys + min(key, uvec4(keys - 1u));
    pairs *= uvec4(notEqual(vec4(keep[at.x], keep[at.y], keep[at.z], keep[at.w]), vec4(0.0)));
#endif
    return notEqual(pairs, uvec4(0u));
}

// The range of the others that a causal mask leaves to rows `first` … first + ROWS − 1.
uint begin_of_others(uint first) {
#if CAUSAL && OWN_KEYS
    return first + queries > keys ? first + queries - keys : 0u;
#else
    return 0u;
#endif
}
uint end_of_others(uint first) {
#if CAUSAL && !OWN_KEYS
    return first + ROWS + keys > queries ? min(keys, first + ROWS + keys - queries) : 0u;
#else
    return OTHER_COUNT;
#endif
}
