// y = the table's row of each token, for tokens first_word … first_word + words − 1, whose rows the table holds.
layout(local_size_x = 64) in;
layout(std430) readonly buffer tokens_block { float tokens[]; };
layout(std430) readonly buffer table_block { float table[]; };
layout(std430) writeonly buffer y_block { float y[]; };
layout(std140) uniform Dispatch {
    uint tokens_first, table_first, y_first, count, width, first_word, words;
};
#include "include/cells.glsl"

void main() {
    FOR_CELLS(i, count) {
        const uint token = uint(tokens[tokens_first + i / width]) - first_word;
        if (token < words) y[y_first + i] = table[table_first + token * width + i % width];
    }
}
