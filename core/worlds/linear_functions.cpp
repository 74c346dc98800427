#include "core/worlds/linear_functions.h"

#include <string>

#include "core/base/error.h"
#include "core/base/rng.h"

namespace glassformer {

float LinearFunction::at(std::span<const float> x) const {
    double value = 0.0;
    for (std::size_t i = 0; i < x.size(); ++i) value += w[i] * static_cast<double>(x[i]);
    return static_cast<float>(value);
}

LinearFunctions::LinearFunctions(int d, int pairs) : d_(d), pairs_(pairs) {
    if (d < 1 || d > LinearFunction::most_dimensions)
        throw Error("linear functions in " + std::to_string(d) + " dimensions cannot be made; there must be 1 to " +
                    std::to_string(LinearFunction::most_dimensions));
    if (pairs < 1) throw Error("a linear function needs at least one point to be seen at");
}

LinearFunction LinearFunctions::draw(Rng& rng) const {
    LinearFunction function;
    for (std::size_t i = 0; i < static_cast<std::size_t>(d_); ++i) function.w[i] = rng.normal();
    return function;
}

void LinearFunctions::draw_point(Rng& rng, std::span<float> x) {
    for (float& coordinate : x) coordinate = static_cast<float>(rng.normal());
}

}  // namespace glassformer
