#if defined(GLASSFORMER_AVX512)
#include "core/ops/product_tile.h"

namespace glassformer::kernel {

const TileKernels avx512_tiles{"AVX-512", lanes, tile_rows, any_tile};

}  // namespace glassformer::kernel
#endif
