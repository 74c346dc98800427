// mean = Σ x / n over the n words, feature by feature.
layout(local_size_x = 64) in;
layout(std430) readonly buffer x_block { float x[]; };
layout(std430) readonly buffer keep_block { float keep[]; };
layout(std430) writeonly buffer mean_block { float mean[]; };
layout(std140) uniform Dispatch {
    uint x_first, keep_first, mean_first, rows, width;
};
#include "include/cells.glsl"

void main() {
    FOR_CELLS(i, width) {
        float words = 0.0, sum = 0.0;
        for (uint r = 0u; r < rows; ++r) {
            if (keep[keep_first + r] == 0.0) continue;
            words += 1.0;
            sum += x[x_first + r * width + i];
        }
        mean[mean_first + i] = sum / max(words, 1.0);
    }
}
