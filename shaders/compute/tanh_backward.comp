// dy/dx = 1 − tanh²x
#include "include/elementary.glsl"
float slope(float x) {
    float y = tanh_of(x);
    return 1.0 - y * y;
}
#include "include/activation_backward.glsl"
