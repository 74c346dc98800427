// dx = dy·W and dW = dyᵀ·x.
#include "include/product.glsl"
