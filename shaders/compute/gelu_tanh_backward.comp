// dy/dx = s + x·s(1 − s)·2u′,  s = σ(2u),  u′ = √(2/π)(1 + 3·0.044715x²)
#include "include/elementary.glsl"
float slope(float x) {
    float s = sigmoid_of(1.595769121605730711 * (x + 0.044715 * (x * x * x)));
    return s + x * s * (1.0 - s) * 1.595769121605730711 * (1.0 + 3.0 * 0.044715 * (x * x));
}
#include "include/activation_backward.glsl"
