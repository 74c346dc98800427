// y = the batch's statistic in training, otherwise the running one.
layout(local_size_x = 64) in;
layout(std430) readonly buffer batch_block { float batch[]; };
layout(std430) readonly buffer running_block { float running[]; };
layout(std430) readonly buffer state_block { float state[]; };
layout(std430) writeonly buffer y_block { float y[]; };
layout(std140) uniform Dispatch {
    uint batch_first, running_first, state_first, y_first, count;
};
#include "include/cells.glsl"

void main() {
    const bool training = state[state_first] != 0.0;
    FOR_CELLS(i, count) y[y_first + i] = training ? batch[batch_first + i] : running[running_first + i];
}
