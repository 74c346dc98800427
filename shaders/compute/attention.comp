// z = softmax(scores)·v for each sentence and head, without a table of scores: every four keys, the softmax of the keys
// so far is updated from the largest score and the sum of the exponentials up to there. The first number of a query
// becomes the logarithm of the whole sum; if every key is hidden, both it and z are 0. If a score is not finite, hidden
// or not, both are NaN.
// own: q, other: k, other_values: v, result: z.
#define OWN_KEYS 0
#include "include/attention.glsl"

vec4 sums[ROWS * VALUE_QUADS];
vec4 weights[ROWS];
float top[ROWS], total[ROWS], shrink[ROWS];
bool finite[ROWS];

// By its bits: a compiler may assume that isnan() is always false.
bool all_finite(vec4 x) { return all(notEqual(floatBitsToUint(x) & 0x7f800000u, uvec4(0x7f800000u))); }

// e^(score − top) of four keys, and the factor for the sums so far.
void weigh(uint r, uint query, uvec4 key) {
    vec4 s = scores_of(products[r], uvec4(query), key);
    finite[r] = finite[r] && all_finite(s);
    const bvec4 counts = seen(uvec4(query), key);
    s = mix(vec4(minus_infinity), s, counts);
    const float largest = max(max(top[r], max(s.x, s.y)), max(s.z, s.w)), shift = isinf(largest) ? 0.0 : largest;
    shrink[r] = exp_of(top[r] - shift);
    for (int i = 0; i < 4; ++i) weights[r][i] = exp_of(s[i] - shift);
    total[r] = total[r] * shrink[r] + ((weights[r].x + weights[r].y) + (weights[r].z + weights[r].w));
    top[r] = largest;
}

void add_values(uint key) {
    const uvec4 begin = rows_at(other_values_first, key + four, keys, value_width);
    for (uint i = 0u; i < VALUE_QUADS; ++i) {
        const mat4 values = mat4(read_other_values(begin.x, i, value_width), read_other_values(begin.y, i, value_width),
                                 read_other_values(begin.z, i, value_width), read_other_values(begin.w, i, value_width));
        for (uint r = 0u; r < ROWS; ++r)
            sums[r * VALUE_QUADS + i] = sums[r * VALUE_QUADS + i] * shrink[r] + values * weights[r];
    }
}

void write_query(uint r, uint query) {
    const uint begin = rows_at(result_first, uvec4(query), queries, value_width).x;
    const float nan = uintBitsToFloat(0x7fc00000u), share = !finite[r] ? nan : total[r] > 0.0 ? 1.0 / total[r] : 0.0;
    for (uint i = 0u; i < VALUE_QUADS; ++i) write_result(begin, value_width, i, share * sums[r * VALUE_QUADS + i]);
    const float logarithm = total[r] > 0.0 ? top[r] + log_of(total[r]) : 0.0;
    rows[numbers_at(uvec4(query)).x] = finite[r] ? logarithm : nan;
}

void main() {
    const uint first = gl_GlobalInvocationID.x * ROWS;
    if (first >= queries) return;
    read_own_rows(first);
    for (uint r = 0u; r < ROWS; ++r) top[r] = minus_infinity, total[r] = 0.0, finite[r] = true;
    for (uint i = 0u; i < ROWS * VALUE_QUADS; ++i) sums[i] = vec4(0.0);
    const uint end = end_of_others(first);
    for (uint key = 0u; key < end; key += 4u) {
        multiply_others(key);
        for (uint r = 0u; r < ROWS; ++r) weigh(r, first + r, key + four);
        add_values(key);
    }
    for (uint r = 0u; r < ROWS && first + r < queries; ++r) write_query(r, first + r);
}
