// dx (+)= dy / n at each of the n words, 0 at padding.
layout(local_size_x = 64) in;
layout(std430) readonly buffer dy_block { float dy[]; };
layout(std430) readonly buffer keep_block { float keep[]; };
layout(std430) buffer dx_block { float dx[]; };
layout(std140) uniform Dispatch {
    uint dy_first, keep_first, dx_first, count, positions, width, dx_add;
};
#include "include/cells.glsl"

float words_of(uint sentence) {
    float words = 0.0;
    for (uint p = 0u; p < positions; ++p) words += keep[keep_first + sentence * positions + p] != 0.0 ? 1.0 : 0.0;
    return words;
}

void main() {
    FOR_CELLS(i, count) {
        const uint place = i / width, sentence = place / positions;
        float value = 0.0;
        if (keep[keep_first + place] != 0.0) value = dy[dy_first + sentence * width + i % width] / words_of(sentence);
        dx[dx_first + i] = dx_add != 0u ? dx[dx_first + i] + value : value;
    }
}
