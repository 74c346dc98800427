// y = max(x, 0); NaN stays NaN.
#include "include/elementary.glsl"
float activation(float x) { return x <= 0.0 ? 0.0 : x; }
#include "include/activation.glsl"
