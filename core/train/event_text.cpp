#include "core/train/event_text.h"

#include <cmath>

#include "core/base/number_text.h"
#include "core/train/training_event.h"

namespace glassformer {

std::string event_number(double value) { return significant(value); }

std::string event_share(double value) {
    const double percent = std::round(1000.0 * value) / 10.0;
    return with_decimals(percent, percent == std::floor(percent) ? 0 : 1) + " %";
}

std::string_view name_of(EventKind kind) {
    static constexpr std::string_view names[] = {"metric", "head", "spike", "divergence", "plateau", "overfitting"};
    return names[static_cast<std::size_t>(kind)];
}

}  // namespace glassformer
