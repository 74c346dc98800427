#pragma once

#include <string>

#include "tests/ops/op_harness.h"

namespace glassformer::testing {

/// Runs the op's kernels on buffers with guard cells before and after them, and again right before memory that may not
/// be touched, where any access beyond the end of a buffer, even a read, crashes. Checks that every cell of the output
/// and of each gradient is written, but nothing beside them and none of the inputs, and that inputs and outputs which
/// the backward pass declares unread (backward_reads_input, backward_reads_output) can be NaN. Returns "" or a sentence
/// saying what is wrong.
std::string guard_error(const OpCase& c);

}  // namespace glassformer::testing
