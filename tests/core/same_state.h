#pragma once

#include "core/train/optimizer.h"
#include "tests/same_bytes.h"

namespace glassformer {

/// Compares the values behind the pointers byte by byte; two null pointers are equal.
inline bool same_values(const Parameters& a, const Parameters& b) {
    if (!a || !b) return !a && !b;
    return same_bytes(*a, *b);
}

/// Whether two states agree in everything, bit by bit.
inline bool same_state(const TrainingState& a, const TrainingState& b) {
    return a.step == b.step && a.seed == b.seed && a.optimizer.kind == b.optimizer.kind &&
           a.optimizer.updates == b.optimizer.updates && same_values(a.parameters, b.parameters) &&
           same_values(a.optimizer.m, b.optimizer.m) && same_values(a.optimizer.v, b.optimizer.v);
}

}  // namespace glassformer
