#include "core/backend/cpu/finite.h"

#include <algorithm>
#include <atomic>
#include <bit>
#include <cstdint>

#include "core/base/ceil_div.h"

namespace glassformer {

namespace {

constexpr std::int64_t piece = 65536;

// The exponent of an infinity or NaN is all ones: one more of it reaches the sign bit. Whole registers at a time, since
// no branch depends on a value.
bool finite(const float* values, std::int64_t count) {
    constexpr std::uint32_t magnitude = 0x7fffffff, one = 0x00800000, sign = 0x80000000;
    std::uint32_t reached = 0;
    for (std::int64_t i = 0; i < count; ++i) reached |= (std::bit_cast<std::uint32_t>(values[i]) & magnitude) + one;
    return (reached & sign) == 0;
}

}  // namespace

bool all_finite(std::span<const float> values, ThreadPool& pool) {
    const auto n = static_cast<std::int64_t>(values.size());
    std::atomic<bool> good{true};
    pool.run(ceil_div(n, piece), [&](std::int64_t i) {
        if (!finite(values.data() + i * piece, std::min(piece, n - i * piece)))
            good.store(false, std::memory_order_relaxed);
    });
    return good.load(std::memory_order_relaxed);
}

}  // namespace glassformer
