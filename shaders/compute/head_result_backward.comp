// dz = dresult·W_Oᵀ and dW_O = zᵀ·dresult for each head.
#include "include/product.glsl"
