#pragma once

#include <cmath>
#include <string>

#include "core/ops/op.h"
#include "core/train/optimizer.h"

namespace glassformer::update_lines {

// The lines that the methods' explanations share, with live numbers.

inline std::string number(double value) { return format_number(value); }

/// "g = 0.42 · 0.031 + 0.01 · 0.2 = 0.015": clipping and, where `decay` says so, λ·w.
inline std::string gradient(const CellBefore& b, bool decay, double result) {
    std::string line = "g = " + number(b.factor) + " · " + number(b.gradient);
    if (decay && b.weight_decay > 0.0) line += " + " + number(b.weight_decay) + " · " + number(b.weight);
    return line + " = " + number(result);
}

/// "m = 0.9 · 0.001 + 0.1 · 0.015 = 0.0024".
inline std::string average(const char* name, double kept, double before, const char* power, double g, double result) {
    return std::string(name) + " = " + number(kept) + " · " + number(before) + " + " + number(1.0 - kept) + " · " +
           (*power && g < 0.0 ? "(" + number(g) + ")" : number(g)) + power + " = " + number(result);
}

/// "m̂ = 0.0024 / (1 − 0.9^12) = 0.0033".
inline std::string corrected(const char* name, double value, double kept, std::int64_t update, double result) {
    return std::string(name) + " = " + number(value) + " / (1 − " + number(kept) + "^" + std::to_string(update) +
           ") = " + number(result);
}

/// m̂ and v̂ of Adam, and the lines up to them; `g` with all that belongs to the gradient.
struct Moments {
    double m, v, m_hat, v_hat;
};

inline Moments moments(const CellBefore& b, const OptimizerOptions& o, double g, std::vector<std::string>& numbers) {
    const double beta1 = o.beta1, beta2 = o.beta2, t = static_cast<double>(b.update);
    Moments x{};
    x.m = beta1 * b.m + (1.0 - beta1) * g;
    x.v = beta2 * b.v + (1.0 - beta2) * g * g;
    x.m_hat = x.m / (1.0 - std::pow(beta1, t));
    x.v_hat = x.v / (1.0 - std::pow(beta2, t));
    numbers.push_back(average("m", beta1, b.m, "", g, x.m));
    numbers.push_back(average("v", beta2, b.v, "²", g, x.v));
    numbers.push_back("t = " + std::to_string(b.update));
    numbers.push_back(corrected("m̂", x.m, beta1, b.update, x.m_hat));
    numbers.push_back(corrected("v̂", x.v, beta2, b.update, x.v_hat));
    return x;
}

}  // namespace glassformer::update_lines
