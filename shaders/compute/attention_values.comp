// z = pattern·v for each sentence (outer) and head (inner).
#include "include/product.glsl"
