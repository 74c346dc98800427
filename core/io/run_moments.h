#pragma once

#include <filesystem>
#include <limits>
#include <vector>

#include "core/train/timeline.h"

namespace glassformer {

// The steps of a run that can be travelled to, beside its states: `moments/step-<N>.safetensors`, parameters alone.

/// Brings the folder up to the timeline: writes the steps that it lacks, and takes away those that the timeline gave
/// up. Throws Error naming the file that cannot be written; what was there stays.
void write_moments(const std::filesystem::path& folder, const Timeline& timeline);

/// Those up to a step, the oldest first; what is damaged, or has another number of parameters, is left out. Throws
/// SystemError where the system does not let one be read.
std::vector<Timeline::Keyframe> read_moments(const std::filesystem::path& folder, std::size_t parameter_count,
                                             std::int64_t up_to = std::numeric_limits<std::int64_t>::max());

/// Takes away those after a step, which the run no longer knows.
void forget_moments_after(const std::filesystem::path& folder, std::int64_t step);

}  // namespace glassformer
