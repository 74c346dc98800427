#pragma once

#include <string>
#include <vector>

#include "core/train/trainer.h"

namespace glassformer {

/// One weight's part in one update: its value before, what happened to it, and the equation that says why.
struct UpdateExplanation {
    std::string parameter;          // "blocks.0.attn.W_Q"
    std::int64_t cell = 0;          // index in the flat parameter vector
    std::int64_t in_parameter = 0;  // row-major index in the parameter
    std::int64_t step = 0;          // number of the update
    double before = 0.0, after = 0.0, change = 0.0;
    double gradient = 0.0;  // before clipping
    double clip_factor = 1.0;
    double m_before = 0.0, m = 0.0, v_before = 0.0, v = 0.0;  // 0 if the method has none
    double learning_rate = 0.0, weight_decay = 0.0;

    std::string formula;               // in symbols, one line per assignment
    std::vector<std::string> numbers;  // the same lines with actual numbers
    /// m, v and the weight, recomputed in double from the values before the update. They must agree with the floats
    /// above.
    double m_recomputed = 0.0, v_recomputed = 0.0, after_recomputed = 0.0;
};

/// Explains what the trainer's newest update did to cell `cell` of the flat parameter vector. Throws Error if that
/// update was not watched (Trainer::watch), or if the model has no such cell. A running statistic of batch
/// normalization and a cell held at zero have their own equations.
UpdateExplanation explain_update(const Trainer& trainer, std::int64_t cell);

}  // namespace glassformer
