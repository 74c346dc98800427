// dpattern = dz·vᵀ and dv = patternᵀ·dz for each sentence and head.
#include "include/product.glsl"
