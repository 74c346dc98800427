#pragma once

#include <filesystem>
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

}  // namespace glassformer
