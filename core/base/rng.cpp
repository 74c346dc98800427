#include "core/base/rng.h"

#include <cmath>
#include <numbers>

namespace glassformer {

Rng::Rng(std::uint64_t seed, std::uint64_t stream) {
    SeedSequence seq({static_cast<std::uint32_t>(seed), static_cast<std::uint32_t>(seed >> 32),
                      static_cast<std::uint32_t>(stream), static_cast<std::uint32_t>(stream >> 32)});
    engine_.seed(seq);
}

double Rng::uniform() { return static_cast<double>(engine_() >> 11) * 0x1.0p-53; }

std::uint64_t Rng::below(std::uint64_t n) {
    // Rejection keeps every value equally likely.
    const std::uint64_t limit = UINT64_MAX - UINT64_MAX % n;
    std::uint64_t x = engine_();
    while (x >= limit) x = engine_();
    return x % n;
}

double Rng::normal() {
    if (has_spare_) {
        has_spare_ = false;
        return spare_;
    }
    const double radius = std::sqrt(-2.0 * std::log(1.0 - uniform()));
    const double angle = 2.0 * std::numbers::pi * uniform();
    spare_ = radius * std::sin(angle);
    has_spare_ = true;
    return radius * std::cos(angle);
}

}  // namespace glassformer
