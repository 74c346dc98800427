// e^x, log, σ, tanh and erf to a few 1e-7, however inaccurate the driver's own functions are (llvmpipe's do not reach
// 1e-5). The polynomials are those of Cephes, also used in core/ops/elementary.h.

const float minus_infinity = uintBitsToFloat(0xff800000u);

// Exactly 0 below −87.3, and so for −∞.
float exp_of(float x) {
    float z = clamp(x, -87.3, 88.3);
    float n = floor(z * 1.44269504 + 0.5);
    float r = (z - n * 0.693359375) + n * 2.12194440e-4;
    float p = 1.9875691500e-4 * r + 1.3981999507e-3;
    p = p * r + 8.3334519073e-3;
    p = p * r + 4.1665795894e-2;
    p = p * r + 1.6666665459e-1;
    p = p * r + 5.0000001201e-1;
    float fraction = p * (r * r) + (r + 1.0);
    return x < -87.3 ? 0.0 : fraction * uintBitsToFloat(uint(int(n) + 127) << 23);
}

// The natural logarithm of a positive normal number (Cephes' logf).
float log_of(float x) {
    uint bits = floatBitsToUint(x);
    int e = int(bits >> 23) - 126;
    float m = uintBitsToFloat((bits & 0x007fffffu) | 0x3f000000u);  // 0.5 … 1
    if (m < 0.707106781186547524) {
        --e;
        m = m + m - 1.0;
    } else {
        m = m - 1.0;
    }
    float z = m * m;
    float p = 7.0376836292e-2 * m - 1.1514610310e-1;
    p = p * m + 1.1676998740e-1;
    p = p * m - 1.2420140846e-1;
    p = p * m + 1.4249322787e-1;
    p = p * m - 1.6668057665e-1;
    p = p * m + 2.0000714765e-1;
    p = p * m - 2.4999993993e-1;
    p = p * m + 3.3333331174e-1;
    float fe = float(e);
    float y = m * z * p + -2.12194440e-4 * fe - 0.5 * z;
    return (m + y) + 0.693359375 * fe;
}

float sigmoid_of(float x) { return 1.0 / (1.0 + exp_of(-x)); }

float tanh_of(float x) {
    float size = abs(x), square = size * size;
    float far = 1.0 - 2.0 / (exp_of(2.0 * size) + 1.0);
    float p = -5.70498872745e-3 * square + 2.06390887954e-2;
    p = p * square - 5.37397155531e-2;
    p = p * square + 1.33314422036e-1;
    p = p * square - 3.33332819422e-1;
    float near = p * square * size + size;
    float value = size < 0.625 ? near : far;
    return x < 0.0 ? -value : value;
}

// erfc z for z ≥ 0, with a relative error below 1.2e-7: the Chebyshev fit in t = 1 / (1 + z/2) of W. H. Press et al.,
// "Numerical Recipes".
float erfc_of(float z) {
    float t = 1.0 / (1.0 + 0.5 * z);
    float p = 0.17087277;
    p = p * t - 0.82215223;
    p = p * t + 1.48851587;
    p = p * t - 1.13520398;
    p = p * t + 0.27886807;
    p = p * t - 0.18628806;
    p = p * t + 0.09678418;
    p = p * t + 0.37409196;
    p = p * t + 1.00002368;
    p = p * t - 1.26551223;
    return t * exp_of(-z * z + p);
}

// Φ(x) = ½ erfc(−x/√2), the normal distribution function; its left tail keeps its precision.
float phi_of(float x) {
    float tail = 0.5 * erfc_of(abs(x) * 0.707106781186547524);
    return x < 0.0 ? tail : 1.0 - tail;
}
