// y = x·σ(x)
#include "include/elementary.glsl"
float activation(float x) { return x * sigmoid_of(x); }
#include "include/activation.glsl"
