// For each place of a text: the next place with the same token (or `places`), and whether it is the token's first
// place.
layout(local_size_x = 64) in;
layout(std430) readonly buffer tokens_block { float tokens[]; };
layout(std430) writeonly buffer next_block { uint next[]; };
layout(std430) writeonly buffer is_first_block { uint is_first[]; };
layout(std140) uniform Dispatch {
    uint tokens_first, next_first, is_first_first, places;
};
#include "include/cells.glsl"

void main() {
    FOR_CELLS(i, places) {
        const float token = tokens[tokens_first + i];
        uint later = i + 1u;
        while (later < places && tokens[tokens_first + later] != token) ++later;
        next[next_first + i] = later;
        uint earlier = 0u;
        while (earlier < i && tokens[tokens_first + earlier] != token) ++earlier;
        is_first[is_first_first + i] = earlier == i ? 1u : 0u;
    }
}
