// sum[c] (+)= Σ_r term(r, c): the gradient of a value repeated along the rows. ROWS_SIDE invocations share a column.
// The including shader declares `sum`, the constants sum_first, rows, columns and sum_add, and term().
layout(local_size_x = 32, local_size_y = ROWS_SIDE) in;
#if ROWS_SIDE > 1
shared float parts[ROWS_SIDE][32];
#endif

void main() {
    const uint c = gl_GlobalInvocationID.x, column = min(c, columns - 1u), side = gl_LocalInvocationID.y;
    float total = 0.0;
    for (uint r = side; r < rows; r += ROWS_SIDE) total += term(r, column);
#if ROWS_SIDE > 1
    parts[side][gl_LocalInvocationID.x] = total;
    barrier();
    for (uint s = 1u; side == 0u && s < ROWS_SIDE; ++s) total += parts[s][gl_LocalInvocationID.x];
#endif
    if (side == 0u && c < columns) sum[sum_first + c] = sum_add != 0u ? sum[sum_first + c] + total : total;
}
