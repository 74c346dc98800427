// running += momentum · (share · now − running): the statistic that batch normalization uses outside training moves
// towards the batch's own. numbers[which] is the share, which makes a variance unbiased.
layout(local_size_x = 64) in;
layout(std430) readonly buffer now_block { float now[]; };
layout(std430) buffer running_block { float running[]; };
layout(std430) readonly buffer numbers_block { float numbers[]; };
layout(std430) readonly buffer report_block { float report[]; };
layout(std140) uniform Dispatch {
    uint now_first, running_first, numbers_first, report_first, which, count;
    float momentum;
};
#include "include/cells.glsl"

void main() {
    if (report[report_first + 2u] < 0.0) return;
    const float share = numbers[numbers_first + which];
    FOR_CELLS(i, count) {
        const float before = running[running_first + i];
        running[running_first + i] = before + momentum * (share * now[now_first + i] - before);
    }
}
