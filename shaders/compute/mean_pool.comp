// y = Σ x / n over the n words of a sentence; zeros where it has none.
layout(local_size_x = 64) in;
layout(std430) readonly buffer x_block { float x[]; };
layout(std430) readonly buffer keep_block { float keep[]; };
layout(std430) writeonly buffer y_block { float y[]; };
layout(std140) uniform Dispatch {
    uint x_first, keep_first, y_first, count, positions, width;
};
#include "include/cells.glsl"

float words_of(uint sentence) {
    float words = 0.0;
    for (uint p = 0u; p < positions; ++p) words += keep[keep_first + sentence * positions + p] != 0.0 ? 1.0 : 0.0;
    return words;
}

void main() {
    FOR_CELLS(i, count) {
        const uint sentence = i / width;
        float sum = 0.0;
        for (uint p = 0u; p < positions; ++p)
            if (keep[keep_first + sentence * positions + p] != 0.0)
                sum += x[x_first + (sentence * positions + p) * width + i % width];
        y[y_first + i] = sum / max(words_of(sentence), 1.0);
    }
}
