// y = tanh x
#include "include/elementary.glsl"
float activation(float x) { return tanh_of(x); }
#include "include/activation.glsl"
