#pragma once

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <random>

namespace glassformer {

/// std::seed_seq for four words, bit for bit (the algorithm is part of the C++ standard, [rand.util.seedseq]), but
/// without its allocation: training draws each step's batch from a new generator.
class SeedSequence {
public:
    using result_type = std::uint32_t;

    explicit SeedSequence(const std::array<std::uint32_t, 4>& words) : words_(words) {}

    /// Fills [begin, end) with well-mixed words. The names are the standard's.
    template <class Iterator>
    void generate(Iterator begin, Iterator end) const {
        const auto n = static_cast<std::size_t>(end - begin), s = words_.size();
        if (n == 0) return;
        std::fill(begin, end, 0x8b8b8b8bu);
        const std::size_t t = n >= 623 ? 11 : n >= 68 ? 7 : n >= 39 ? 5 : n >= 7 ? 3 : (n - 1) / 2;
        const std::size_t p = (n - t) / 2, q = p + t, m = std::max(s + 1, n);
        const auto x = [&](std::size_t k) -> decltype(auto) { return begin[static_cast<std::ptrdiff_t>(k % n)]; };
        for (std::size_t k = 0; k < m; ++k) {
            const auto r1 = word(1664525u * mixed(word(x(k) ^ x(k + p) ^ x(k + n - 1))));
            const std::uint32_t mine = k == 0 ? word(s) : k <= s ? word(k % n + words_[k - 1]) : word(k % n);
            const auto r2 = word(r1 + mine);
            x(k + p) = word(x(k + p) + r1);
            x(k + q) = word(x(k + q) + r2);
            x(k) = r2;
        }
        for (std::size_t k = m; k < m + n; ++k) {
            const auto r3 = word(1566083941u * mixed(word(x(k) + x(k + p) + x(k + n - 1))));
            const auto r4 = word(r3 - word(k % n));
            x(k + p) = word(x(k + p) ^ r3);
            x(k + q) = word(x(k + q) ^ r4);
            x(k) = r4;
        }
    }

private:
    template <class Number>
    static std::uint32_t word(Number value) {
        return static_cast<std::uint32_t>(value);
    }
    static std::uint32_t mixed(std::uint32_t value) { return value ^ (value >> 27); }

    std::array<std::uint32_t, 4> words_;
};

/// A reproducible stream of random numbers. The C++ standard fixes the output of the engine, std::mt19937_64; the
/// distributions are our own, because the standard library's differ between implementations.
///
/// A stream is identified by (seed, stream): the batch of step s is drawn from Rng(seed, s), so any step can be
/// replayed without replaying the earlier ones.
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
