// y = sum / total, or 0 where the total is not positive.
layout(local_size_x = 1) in;
layout(std430) readonly buffer sum_block { float sum[]; };
layout(std430) readonly buffer total_block { float total[]; };
layout(std430) writeonly buffer y_block { float y[]; };
layout(std140) uniform Dispatch {
    uint sum_first, total_first, y_first;
};

void main() {
    const float all = total[total_first];
    y[y_first] = all > 0.0 ? sum[sum_first] / all : 0.0;
}
