#include "core/ops/op.h"

#include <cmath>
#include <cstdio>

#include "core/base/error.h"

namespace glassformer {

void shape_error(const Op& op, const std::string& what, std::span<const Shape> inputs) {
    std::string text = std::string(op.name()) + ": " + what + "; the input shapes are";
    for (const Shape& shape : inputs) text += " " + shape.to_string();
    throw Error(text);
}

double attribute(const Op& op, std::string_view name) {
    for (const OpAttribute& a : op.attributes())
        if (a.name == name) return a.value;
    throw Error(std::string(op.name()) + " has no attribute called " + std::string(name));
}

std::string format_number(double value) {
    if (std::isinf(value)) return value > 0 ? "∞" : "-∞";
    char buffer[32];
    const double magnitude = std::abs(value);
    const char* format = magnitude == 0.0 || (magnitude >= 0.1 && magnitude < 1e5) ? "%.2f"
                         : magnitude >= 0.001 && magnitude < 0.1                   ? "%.4f"
                                                                                   : "%.3g";
    std::snprintf(buffer, sizeof buffer, format, value);
    return buffer;
}

}  // namespace glassformer
