// y = x·Φ(x)
#include "include/elementary.glsl"
float activation(float x) { return x * phi_of(x); }
#include "include/activation.glsl"
