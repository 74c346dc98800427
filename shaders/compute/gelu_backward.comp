// dy/dx = Φ(x) + x·φ(x),  φ(x) = e^(−x²/2) / √(2π)
#include "include/elementary.glsl"
float slope(float x) {
    return phi_of(x) + x * 0.398942280401432678 * exp_of(-0.5 * x * x);
}
#include "include/activation_backward.glsl"
