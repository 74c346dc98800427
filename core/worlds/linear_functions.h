#pragma once

#include <array>
#include <span>

namespace glassformer {

class Rng;

/// f(x) = w·x in up to 16 dimensions.
struct LinearFunction {
    static constexpr int most_dimensions = 16;
    std::array<double, most_dimensions> w{};

    float at(std::span<const float> x) const;
};

/// Random linear functions and points to see them at, for regression in context (Garg et al. 2022): w and every x from
/// N(0, I), no noise. So f(x) has mean 0 and variance d. Nothing here allocates.
class LinearFunctions {
public:
    /// `pairs` points of each function, in d dimensions. Throws Error when a size is below 1, or d above the most.
    LinearFunctions(int d, int pairs);

    int d() const { return d_; }
    int pairs() const { return pairs_; }
    LinearFunction draw(Rng& rng) const;
    /// Fills x [d] with a random point.
    static void draw_point(Rng& rng, std::span<float> x);

private:
    int d_, pairs_;
};

}  // namespace glassformer
