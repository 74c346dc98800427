// dx (+)= dy at the sentence's one word, 0 at all others.
layout(local_size_x = 64) in;
layout(std430) readonly buffer dy_block { float dy[]; };
layout(std430) readonly buffer keep_block { float keep[]; };
layout(std430) buffer dx_block { float dx[]; };
layout(std140) uniform Dispatch {
    uint dy_first, keep_first, dx_first, count, positions, width, last, dx_add;
};
#include "include/cells.glsl"
#include "include/word_place.glsl"

void main() {
    FOR_CELLS(i, count) {
        const uint word = i / width, sentence = word / positions;
        const bool chosen = word % positions == word_place(sentence);
        const float value = chosen ? dy[dy_first + sentence * width + i % width] : 0.0;
        dx[dx_first + i] = dx_add != 0u ? dx[dx_first + i] + value : value;
    }
}
