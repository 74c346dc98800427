// report = loss, norm of the gradient, and the factor that clips it: clip / (norm + 1e-6) above the clip, else 1. The
// factor is −1 if the loss, the norm or a number inside (broken) is not finite; the optimizer then changes nothing, nor
// does any update that was queued after this one. clip is numbers[8].
layout(local_size_x = 64) in;
layout(std430) readonly buffer partial_block { float partial[]; };
layout(std430) readonly buffer loss_block { float loss[]; };
layout(std430) readonly buffer broken_block { float broken[]; };
layout(std430) readonly buffer numbers_block { float numbers[]; };
layout(std430) buffer report_block { float report[]; };
layout(std140) uniform Dispatch {
    uint partial_first, loss_first, broken_first, numbers_first, report_first, count;
};
shared float parts[64];

// By its bits: a compiler may assume that isnan() is always false.
bool finite(float x) { return (floatBitsToUint(x) & 0x7f800000u) != 0x7f800000u; }

void main() {
    const uint lane = gl_LocalInvocationID.x;
    float sum = 0.0;
    for (uint i = lane; i < count; i += 64u) sum += partial[partial_first + i];
    parts[lane] = sum;
    barrier();
    if (lane != 0u) return;
    for (uint i = 1u; i < 64u; ++i) sum += parts[i];
    const float norm = sqrt(sum), clip = numbers[numbers_first + 8u];
    const bool sound = report[report_first + 2u] >= 0.0 && broken[broken_first] == 0.0 && finite(norm) &&
                       finite(loss[loss_first]);
    report[report_first] = loss[loss_first];
    report[report_first + 1u] = norm;
    report[report_first + 2u] = !sound ? -1.0 : norm > clip ? clip / (norm + 1e-6) : 1.0;
    report[report_first + 3u] = broken[broken_first];
}
