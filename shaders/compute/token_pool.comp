// y = x of a sentence's last word, or of its first one; zeros where it has none.
layout(local_size_x = 64) in;
layout(std430) readonly buffer x_block { float x[]; };
layout(std430) readonly buffer keep_block { float keep[]; };
layout(std430) writeonly buffer y_block { float y[]; };
layout(std140) uniform Dispatch {
    uint x_first, keep_first, y_first, count, positions, width, last;
};
#include "include/cells.glsl"
#include "include/word_place.glsl"

void main() {
    FOR_CELLS(i, count) {
        const uint sentence = i / width, place = word_place(sentence);
        y[y_first + i] = place < positions ? x[x_first + (sentence * positions + place) * width + i % width] : 0.0;
    }
}
