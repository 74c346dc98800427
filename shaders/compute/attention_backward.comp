// One of the three gradients of attention in one op. The weights p = e^(score − logarithm of the sum) are computed
// again from q and k, and ds = p ⊙ (dz·vᵀ − Σ dz ⊙ z) · factor. GRADIENT: result, and own, own_values, other,
// other_values:
//     0  dq = ds·k    q, dz, k, v
//     1  dk = dsᵀ·q   k, v, q, dz
//     2  dv = pᵀ·dz   k, none, q, dz
#define OWN_KEYS (GRADIENT != 0)
#include "include/attention.glsl"

#if GRADIENT == 2
#define RESULT_QUADS VALUE_QUADS
#define RESULT_WIDTH value_width
#else
layout(std430) readonly buffer own_values_block { CELL own_values[]; };
ROW_READER(read_own_values, own_values)
#define RESULT_QUADS HEAD_QUADS
#define RESULT_WIDTH head_width
vec4 own_value[ROWS * VALUE_QUADS];
vec4 value_products[ROWS];
#endif
vec4 sums[ROWS * RESULT_QUADS];
vec4 weights[ROWS];

mat4 four_values(uvec4 begin, uint i) {
    return mat4(read_other_values(begin.x, i, value_width), read_other_values(begin.y, i, value_width),
                read_other_values(begin.z, i, value_width), read_other_values(begin.w, i, value_width));
}
mat4 four_others(uvec4 begin, uint i) {
    return mat4(read_other(begin.x, i, head_width), read_other(begin.y, i, head_width),
                read_other(begin.z, i, head_width), read_other(begin.w, i, head_width));
}

#if GRADIENT != 2
void read_own_value_rows(uint first) {
    for (uint r = 0u; r < ROWS; ++r) {
        const uint begin = rows_at(own_values_first, uvec4(first + r), OWN_COUNT, value_width).x;
        for (uint i = 0u; i < VALUE_QUADS; ++i) own_value[r * VALUE_QUADS + i] = read_own_values(begin, i, value_width);
    }
}
// dz·v of each own row with four other rows.
void multiply_other_values(uint at) {
    const uvec4 begin = rows_at(other_values_first, at + four, OTHER_COUNT, value_width);
    for (uint r = 0u; r < ROWS; ++r) value_products[r] = vec4(0.0);
    for (uint i = 0u; i < VALUE_QUADS; ++i) {
        const mat4 values = four_values(begin, i);
        for (uint r = 0u; r < ROWS; ++r) value_products[r] += own_value[r * VALUE_QUADS + i] * values;
    }
}
#endif

// p of four pairs, or ds.
void weigh(uint r, uint own_position, uvec4 other_position) {
    const uvec4 query = OWN_KEYS ? other_position : uvec4(own_position),
                key = OWN_KEYS ? uvec4(own_position) : other_position, at = numbers_at(query);
    const vec4 exponents = scores_of(products[r], query, key) - vec4(rows[at.x], rows[at.y], rows[at.z], rows[at.w]);
    vec4 p;
    for (int i = 0; i < 4; ++i) p[i] = exp_of(exponents[i]);
#if GRADIENT != 2
    p *= (value_products[r] - vec4(rows[at.x + 1u], rows[at.y + 1u], rows[at.z + 1u], rows[at.w + 1u])) * factor;
#endif
    weights[r] = mix(vec4(0.0), p, seen(query, key));
}

void add_others(uint at) {
#if GRADIENT == 2
    const uvec4 begin = rows_at(other_values_first, at + four, OTHER_COUNT, value_width);
#else
    const uvec4 begin = rows_at(other_first, at + four, OTHER_COUNT, head_width);
#endif
    for (uint i = 0u; i < RESULT_QUADS; ++i) {
#if GRADIENT == 2
        const mat4 others = four_values(begin, i);
#else
        const mat4 others = four_others(begin, i);
#endif
        for (uint r = 0u; r < ROWS; ++r) sums[r * RESULT_QUADS + i] += others * weights[r];
    }
}

void main() {
    const uint first = gl_GlobalInvocationID.x * ROWS;
    if (first >= OWN_COUNT) return;
    read_own_rows(first);
#if GRADIENT != 2
    read_own_value_rows(first);
#endif
    for (uint i = 0u; i < ROWS * RESULT_QUADS; ++i) sums[i] = vec4(0.0);
    const uint end = end_of_others(first);
    for (uint at = begin_of_others(first); at < end; at += 4u) {
        multiply_others(at);
#if GRADIENT != 2
        multiply_other_values(at);
#endif
        for (uint r = 0u; r < ROWS; ++r) weigh(r, first + r, at + four);
        add_others(at);
    }
    for (uint r = 0u; r < ROWS && first + r < OWN_COUNT; ++r) {
        const uint begin = rows_at(result_first, uvec4(first + r), OWN_COUNT, RESULT_WIDTH).x;
        for (uint i = 0u; i < RESULT_QUADS; ++i) write_result(begin, RESULT_WIDTH, i, sums[r * RESULT_QUADS + i]);
    }
}
