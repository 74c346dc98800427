#include "core/ops/product_tile.h"

namespace glassformer::kernel {

const TileKernels default_tiles {
#if defined(__AVX2__)
    "AVX2",
#elif defined(__SSE2__)
    "SSE2",
#elif defined(__ARM_NEON)
    "NEON",
#elif defined(__wasm_simd128__)
    "SIMD128",
#else
    "scalar",
#endif
        lanes, tile_rows, any_tile, {row<float32>, row<float16>, row<bfloat16>, row_of_blocks}, {
        nullptr, across<float16>, across<bfloat16>, nullptr
    }
};

}  // namespace glassformer::kernel
