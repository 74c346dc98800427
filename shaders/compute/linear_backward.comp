// dx = dy·Wᵀ and dW = xᵀ·dy; db is column_sums.comp.
#include "include/product.glsl"
