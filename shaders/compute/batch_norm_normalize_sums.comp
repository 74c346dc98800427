// means[c] = Σ dy / n and means[D + c] = Σ dy ⊙ y / n over all rows, padding too, for n words; zeros outside training,
// where the statistics do not depend on x.
layout(local_size_x = 64) in;
layout(std430) readonly buffer y_block { float y[]; };
layout(std430) readonly buffer dy_block { float dy[]; };
layout(std430) readonly buffer keep_block { float keep[]; };
layout(std430) readonly buffer state_block { float state[]; };
layout(std430) writeonly buffer means_block { float means[]; };
layout(std140) uniform Dispatch {
    uint y_first, dy_first, keep_first, state_first, means_first, rows, width;
};
#include "include/cells.glsl"

void main() {
    const bool training = state[state_first] != 0.0;
    FOR_CELLS(i, width) {
        float words = 0.0, sum = 0.0, inner = 0.0;
        for (uint r = 0u; training && r < rows; ++r) {
            const float d = dy[dy_first + r * width + i];
            words += keep[keep_first + r] != 0.0 ? 1.0 : 0.0;
            sum += d;
            inner += d * y[y_first + r * width + i];
        }
        means[means_first + i] = words > 0.0 ? sum / words : 0.0;
        means[means_first + width + i] = words > 0.0 ? inner / words : 0.0;
    }
}
