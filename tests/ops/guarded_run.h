#pragma once

#include <string>

#include "tests/ops/op_harness.h"

namespace glassformer::testing {

/// The op's kernels on buffers with guard cells before and behind them, then right before memory that may not be
/// touched, where an access beyond the end of a buffer, a read too, is a crash. Every cell of the output and of each
/// gradient is written, nothing beside them and none of the inputs; and what the op says that its backward does not
/// read (backward_reads_input, backward_reads_output) is no number, and is not missed. "" or a sentence saying what is
/// wrong.
std::string guard_error(const OpCase& c);

}  // namespace glassformer::testing
