// dq = ds·k and dk = dsᵀ·q for each sentence and head.
#include "include/product.glsl"
