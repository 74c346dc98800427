#pragma once

#include <cstdint>
#include <random>

namespace glassformer {

/// A reproducible stream of random numbers. The engine is std::mt19937_64, whose output the C++ standard fixes; the
/// distributions are ours, because those of the standard library differ between implementations.
///
/// A stream is named by (seed, stream): the batch of step s is drawn from Rng(seed, s), so any step can be replayed
/// without replaying the ones before it.
class Rng {
public:
    explicit Rng(std::uint64_t seed, std::uint64_t stream = 0);

    std::uint64_t bits() { return engine_(); }

    /// Uniform in [0, 1).
    double uniform();

    /// Uniform in 0 … n − 1; n must be positive.
    std::uint64_t below(std::uint64_t n);

    /// Standard normal (Box–Muller).
    double normal();

private:
    std::mt19937_64 engine_;
    double spare_ = 0.0;
    bool has_spare_ = false;
};

}  // namespace glassformer
