// y = x·Wᵀ: [rows, D] by [V, D].
#include "include/product.glsl"
