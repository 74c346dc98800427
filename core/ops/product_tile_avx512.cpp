#if defined(GLASSFORMER_AVX512)
#include "core/ops/product_tile.h"

namespace glassformer::kernel {

const TileKernels avx512_tiles{"AVX-512",
                               lanes,
                               tile_rows,
                               any_tile,
                               {row<float32>, row<float16>, row<bfloat16>, row_of_blocks},
                               {nullptr, across<float16>, across<bfloat16>, nullptr}};

}  // namespace glassformer::kernel
#endif
