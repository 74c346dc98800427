#include "core/ops/op.h"

#include <cmath>
#include <utility>

#include "core/base/error.h"
#include "core/base/join.h"
#include "core/base/mark_text.h"
#include "core/base/number_text.h"

namespace glassformer {

void shape_error(const Op& op, const std::string& what, std::span<const Shape> inputs) {
    throw Error("{1}: {2}; the input shapes are {3}", op.name(), what, join(inputs, " ", &Shape::to_string));
}

OpExplanation explain_products(const ExplainArgs& a, std::string formula, std::string terms_title, std::int64_t count,
                               const Factor& x, const Factor& w) {
    OpExplanation e{std::move(formula),
                    filled_with(count == 1 ? N_("the only product") : N_("the sum of {1} products"), count),
                    std::move(terms_title),
                    {},
                    0.0,
                    {.join = TermJoin::product}};
    e.terms.reserve(static_cast<std::size_t>(count));
    for (std::int64_t i = 0; i < count; ++i) {
        const std::int64_t x_cell = x.first + i * x.stride, w_cell = w.first + i * w.stride;
        const double x_value = a.inputs[x.input].data[x_cell], w_value = a.inputs[w.input].data[w_cell];
        e.terms.push_back({{{x.input, x_cell, x_value}, {w.input, w_cell, w_value}}, x_value * w_value});
        e.value += x_value * w_value;
    }
    return e;
}

double attribute(const Op& op, std::string_view name) {
    for (const OpAttribute& a : op.attributes())
        if (a.name == name) return a.value;
    throw Error("{1} has no attribute called {2}", op.name(), name);
}

std::string format_number(double value) {
    const double magnitude = std::abs(value);
    const bool two = magnitude == 0.0 || (magnitude >= 0.1 && magnitude < 1e5);
    if (!two && !(magnitude >= 0.001 && magnitude < 0.1)) return significant(value);
    return with_decimals(value, two ? 2 : 4);
}

}  // namespace glassformer
