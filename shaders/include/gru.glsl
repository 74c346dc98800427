// The gates of a GRU from the input's part x and the state's part g = h·W + b, in the order r, z, n.
#include "include/elementary.glsl"

vec3 gru_gates_of(vec3 from_x, vec3 g) {
    const float r = sigmoid_of(from_x.x + g.x), z = sigmoid_of(from_x.y + g.y);
    return vec3(r, z, tanh_of(from_x.z + r * g.z));
}
