// dy/dx = σ(x)·(1 + x·(1 − σ(x)))
#include "include/elementary.glsl"
float slope(float x) {
    float s = sigmoid_of(x);
    return s * (1.0 + x * (1.0 - s));
}
#include "include/activation_backward.glsl"
