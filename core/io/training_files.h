#pragma once

#include <filesystem>
#include <limits>
#include <vector>

#include "core/train/timeline.h"

namespace glassformer {

// How a training went, beside its model: log.jsonl and timeline.safetensors of a checkpoint. A list that is empty has
// no file.

void write_log(const std::filesystem::path& file, const std::vector<MetricPoint>& log);
/// Throws Error naming the file, the line and what is wrong in it.
std::vector<MetricPoint> read_log(const std::filesystem::path& file);

void write_timeline(const std::filesystem::path& file, const std::vector<Timeline::Keyframe>& keyframes);
/// Throws Error naming the file and the tensor that is not a step's parameters.
std::vector<Timeline::Keyframe> read_timeline(const std::filesystem::path& file, std::size_t parameter_count);

/// Writes a training's state as safetensors, by write_file_atomically: the tensors "parameters" and those of
/// "moment.m" and "moment.v" that the state has, all of one length, and in the metadata "step", "seed", "optimizer" (as
/// name_of says it) and "updates". Throws Error for a state without parameters.
void write_state(const std::filesystem::path& file, const TrainingState& state);

/// Throws Error naming the file and what is wrong in it: an optimizer that this program does not know, or moments that
/// are not those of its method. A state that was kept without moments comes back without them.
TrainingState read_state(const std::filesystem::path& file);

// The steps of a run that can be travelled to, beside its states: `moments/step-<N>.safetensors`, parameters alone.

/// Brings the folder up to the timeline: writes the steps that it lacks, and takes away those that the timeline gave
/// up. Throws Error naming the file that cannot be written; what was there stays.
void write_keyframes(const std::filesystem::path& folder, const Timeline& timeline);

/// Those up to a step, the oldest first; what is damaged, or has another number of parameters, is left out. Throws
/// SystemError where the system does not let one be read.
std::vector<Timeline::Keyframe> read_keyframes(const std::filesystem::path& folder, std::size_t parameter_count,
                                               std::int64_t up_to = std::numeric_limits<std::int64_t>::max());

/// Takes away those after a step, which the run no longer knows.
void forget_keyframes_after(const std::filesystem::path& folder, std::int64_t step);

}  // namespace glassformer
