// Work row by row: LANES invocations (a power of two, 1 on a CPU) share a row and walk through its cells side by side.
// Every invocation of a group must reach every row_sum() and row_max(), so the loop over rows runs equally often for
// all of them; a row beyond the last is computed like the last one, but not written.
//
//     FOR_ROWS(r, rows) {
//         float sum = 0.0;
//         FOR_LANE_CELLS(j, width) sum += x[x_first + r * width + j];
//         sum = row_sum(sum);
//         if (ROW_IS_REAL(rows) && FIRST_LANE) y[y_first + r] = sum;
//     }
//
// This file declares the work group's size itself; before GLSL 4.40 the size must be a plain number.
#if LANES == 1
#define GROUP_ROWS 64
#elif LANES == 2
#define GROUP_ROWS 32
#elif LANES == 4
#define GROUP_ROWS 16
#elif LANES == 8
#define GROUP_ROWS 8
#elif LANES == 16
#define GROUP_ROWS 4
#elif LANES == 32
#define GROUP_ROWS 2
#else
#define GROUP_ROWS 1
#endif
layout(local_size_x = LANES, local_size_y = GROUP_ROWS) in;

#define FOR_ROWS(r, rows)                                                                              \
    for (uint row_start = gl_WorkGroupID.x * GROUP_ROWS; row_start < (rows);                           \
         row_start += gl_NumWorkGroups.x * GROUP_ROWS)                                                 \
        for (uint r = min(row_start + gl_LocalInvocationID.y, (rows)-1u), row_once = 0u; row_once < 1u; ++row_once)
#define ROW_IS_REAL(rows) (row_start + gl_LocalInvocationID.y < (rows))
#define FOR_LANE_CELLS(j, width) for (uint j = gl_LocalInvocationID.x; j < (width); j += LANES)
#define FIRST_LANE (gl_LocalInvocationID.x == 0u)

#if LANES > 1
shared float row_parts[GROUP_ROWS][LANES];

float row_sum(float part) {
    const uint lane = gl_LocalInvocationID.x, row = gl_LocalInvocationID.y;
    barrier();  // the last reduction has been read
    row_parts[row][lane] = part;
    barrier();
    for (uint half_lanes = LANES / 2; half_lanes > 0u; half_lanes /= 2u) {
        if (lane < half_lanes) row_parts[row][lane] += row_parts[row][lane + half_lanes];
        barrier();
    }
    return row_parts[row][0];
}

float row_max(float part) {
    const uint lane = gl_LocalInvocationID.x, row = gl_LocalInvocationID.y;
    barrier();
    row_parts[row][lane] = part;
    barrier();
    for (uint half_lanes = LANES / 2; half_lanes > 0u; half_lanes /= 2u) {
        if (lane < half_lanes) row_parts[row][lane] = max(row_parts[row][lane], row_parts[row][lane + half_lanes]);
        barrier();
    }
    return row_parts[row][0];
}
#else
float row_sum(float part) { return part; }
float row_max(float part) { return part; }
#endif
