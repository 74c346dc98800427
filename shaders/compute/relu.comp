// y = max(x, 0); what is not a number stays so.
#include "include/elementary.glsl"
float activation(float x) { return x <= 0.0 ? 0.0 : x; }
#include "include/activation.glsl"
