#include "core/ops/op.h"

#include <cmath>

#include "core/base/error.h"
#include "core/base/number_text.h"

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
    const double magnitude = std::abs(value);
    const bool two = magnitude == 0.0 || (magnitude >= 0.1 && magnitude < 1e5);
    if (!two && !(magnitude >= 0.001 && magnitude < 0.1)) return significant(value);
    return with_decimals(value, two ? 2 : 4);
}

}  // namespace glassformer
