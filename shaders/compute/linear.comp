// y = x·W + b: [rows, D_in] by [D_in, D_out].
#include "include/product.glsl"
