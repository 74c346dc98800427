// dW[token] += Σ of dy over the places of that token, in order: the first place of each token follows its chain
// (embed_chain.comp). dW holds the rows of tokens first_word … first_word + words − 1.
layout(local_size_x = 64) in;
layout(std430) readonly buffer tokens_block { float tokens[]; };
layout(std430) readonly buffer next_block { uint next[]; };
layout(std430) readonly buffer is_first_block { uint is_first[]; };
layout(std430) readonly buffer dy_block { float dy[]; };
layout(std430) buffer dw_block { float dw[]; };
layout(std140) uniform Dispatch {
    uint tokens_first, next_first, is_first_first, dy_first, dw_first, count, width, first_word, words;
};
#include "include/cells.glsl"

void main() {
    const uint places = count / width;
    FOR_CELLS(i, count) {
        uint place = i / width;
        if (is_first[is_first_first + place] == 0u) continue;
        const uint token = uint(tokens[tokens_first + place]) - first_word;
        if (token >= words) continue;
        const uint feature = i % width, to = dw_first + token * width + feature;
        float sum = 0.0;
        for (; place < places; place = next[next_first + place]) sum += dy[dy_first + place * width + feature];
        dw[to] += sum;
    }
}
