// result[.., h, :] = z[.., h, :]·W_O[h] for each head (inner).
#include "include/product.glsl"
