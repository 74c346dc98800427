#pragma once

#include <string>
#include <vector>

#include "core/train/trainer.h"

namespace glassformer {

/// One weight's part in one update: what it was, what happened to it, and the equation that says why.
struct UpdateExplanation {
    std::string parameter;          // "blocks.0.attn.W_Q"
    std::int64_t cell = 0;          // in the flat parameter vector
    std::int64_t in_parameter = 0;  // row-major, in the parameter
    std::int64_t step = 0;          // the update
    double before = 0.0, after = 0.0, change = 0.0;
    double gradient = 0.0;  // before clipping
    double clip_factor = 1.0;
    double m_before = 0.0, m = 0.0, v_before = 0.0, v = 0.0;  // 0 where the method has none
    double learning_rate = 0.0, weight_decay = 0.0;

    std::string formula;               // in symbols, one line for each assignment
    std::vector<std::string> numbers;  // the same lines with live values
    /// m, v and the weight, recomputed in double from what the update started with: they must agree with the floats
    /// above.
    double m_recomputed = 0.0, v_recomputed = 0.0, after_recomputed = 0.0;
};

/// Cell `cell` of the flat parameter vector in the trainer's newest update, which must have been watched
/// (Trainer::watch); throws Error otherwise, and for a cell that the model does not have. A running statistic of batch
/// normalization and a cell held at zero have equations of their own.
UpdateExplanation explain_update(const Trainer& trainer, std::int64_t cell);

}  // namespace glassformer
