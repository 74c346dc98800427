// y = x·σ(2u),  u = √(2/π)(x + 0.044715x³)
#include "include/elementary.glsl"
float activation(float x) { return x * sigmoid_of(1.595769121605730711 * (x + 0.044715 * (x * x * x))); }
#include "include/activation.glsl"
