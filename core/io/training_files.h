#pragma once

#include <cstddef>
#include <filesystem>
#include <limits>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "core/train/timeline.h"

namespace glassformer {

// log.jsonl: how a training went, one JSON object a line:
//
//     {"step":50,"loss":2.88,"accuracy":0.55,"held_out_loss":2.9,"gradient_norm":0.8,"learning_rate":0.005,
//      "tokens_per_second":1e5,"heads":[[block,head,previous word,induction,duplicate token,telling word],…]}
//
// "step" and "loss" are always there, the rest where it was measured; fields of other names are left alone.

/// What a log says.
struct TrainingLog {
    std::vector<MetricPoint> points;
    std::vector<HeadScoresAt> heads;  // of the steps where they were measured

    /// Forgets what came after `step`.
    void cut_after(std::int64_t step);
};

/// A last line that has no end: an error, or what a killed program leaves behind and is passed over.
enum class PartialLine { refuse, pass_over };

/// One line, its end included.
std::string log_line(const MetricPoint& point, std::span<const HeadScore> heads = {});

/// Reads a log; `file` is the name that messages show. Throws Error naming the line and what is wrong in it. Where
/// `ends` is given, it gets where each line ends, in bytes from the beginning.
TrainingLog parse_log(std::string_view text, const std::string& file, PartialLine last,
                      std::vector<std::size_t>* ends = nullptr);

/// The curves as a table: a line of names, then step, loss, held-out loss, metric, gradient norm, learning rate and
/// tokens per second of each step, with nothing between the commas where a number was not measured.
std::string log_as_csv(std::span<const MetricPoint> points);

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

/// The file of a step in a folder, `<kind>-<step>.safetensors`.
std::filesystem::path step_path(const std::filesystem::path& folder, const char* kind, std::int64_t step);
struct StepFile {
    std::int64_t step = 0;
    std::filesystem::path path;
};
/// Those that are complete, the oldest first: one that is being written has another name. Throws SystemError where the
/// folder is there and cannot be looked into: to take it for empty would lose what is in it.
std::vector<StepFile> step_files_in(const std::filesystem::path& folder, const char* kind);

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
