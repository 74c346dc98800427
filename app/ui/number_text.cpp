#include "app/ui/number_text.h"

namespace glassformer::app {

std::string grouped(std::int64_t n) {
    std::string text = std::to_string(n);
    const std::size_t sign = n < 0 ? 1 : 0;
    if (text.size() - sign < 5) return text;
    for (std::size_t at = text.size() - 3; at > sign; at = at > 3 ? at - 3 : 0) text.insert(at, ",");
    return text;
}

}  // namespace glassformer::app
