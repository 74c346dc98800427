// dy/dx is 1 above 0 and 0 elsewhere. Computed from y, which is above 0 where x is.
#include "include/elementary.glsl"
float slope(float x) {
    return x > 0.0 ? 1.0 : 0.0;
}
#include "include/activation_backward.glsl"
