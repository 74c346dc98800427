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

// log.jsonl: the course of a training, one JSON object per line:
//
//     {"step":50,"loss":2.88,"accuracy":0.55,"held_out_loss":2.9,"gradient_norm":0.8,"learning_rate":0.005,
//      "tokens_per_second":1e5,"heads":[[block,head,previous word,induction,duplicate token,telling word],…]}
//
// "step" and "loss" are always present, the rest ("clip_factor", too) if measured; other fields are ignored.

/// The contents of a log.
struct TrainingLog {
    std::vector<MetricPoint> points;
    std::vector<HeadScoresAt> heads;  // only for steps where they were measured

    /// Drops everything after `step`.
    void cut_after(std::int64_t step);
};

/// What to do with an unterminated last line: an error, or the leftover of a killed program, to be skipped.
enum class PartialLine { refuse, pass_over };

/// One line, including its newline. Heads with a score that is not finite are left out.
std::string log_line(const MetricPoint& point, std::span<const HeadScore> heads = {});

/// Parses a log; `file` is the name shown in messages. Throws Error naming the line and what is wrong in it. If `ends`
/// is given, it receives the byte offset of each line's end.
TrainingLog parse_log(std::string_view text, const std::string& file, PartialLine last,
                      std::vector<std::size_t>* ends = nullptr);

/// The curves as CSV: a header line, then step, loss, held-out loss, metric, gradient norm, learning rate and tokens
/// per second of each step; numbers that were not measured are empty.
std::string log_as_csv(std::span<const MetricPoint> points);

// The course of a training, beside its model: log.jsonl and timeline.safetensors of a checkpoint. An empty list has no
// file.

/// At most 100,000 points, evenly spaced, and as many of those where the metric was measured; the last one stays. A
/// checkpoint's log is read completely each time it is opened.
std::vector<MetricPoint> thinned(const std::vector<MetricPoint>& points);
/// Thins a very long log.
void write_log(const std::filesystem::path& file, const std::vector<MetricPoint>& log);
/// Throws Error naming the file, the line and what is wrong in it.
std::vector<MetricPoint> read_log(const std::filesystem::path& file);

void write_timeline(const std::filesystem::path& file, const std::vector<Timeline::Keyframe>& keyframes);
/// Throws Error naming the file and a tensor that is not a step's parameters.
std::vector<Timeline::Keyframe> read_timeline(const std::filesystem::path& file, std::size_t parameter_count);

/// Writes a training's state as safetensors, through write_file_atomically: the tensors "parameters" and, if the state
/// has them, "moment.m" and "moment.v", all of the same length; and the metadata "step", "seed", "optimizer" (as
/// name_of returns it) and "updates". Throws Error for a state without parameters.
void write_state(const std::filesystem::path& file, const TrainingState& state);

/// Throws Error naming the file and what is wrong in it: an unknown optimizer, or moments that do not belong to it. A
/// state saved without moments is read without them.
TrainingState read_state(const std::filesystem::path& file);

/// The path of a step's file in a folder, `<kind>-<step>.safetensors`.
std::filesystem::path step_path(const std::filesystem::path& folder, const char* kind, std::int64_t step);
struct StepFile {
    std::int64_t step = 0;
    std::filesystem::path path;
};
/// The complete files, oldest first: one still being written has another name. Throws SystemError if the folder exists
/// but cannot be read: treating it as empty would lose its content.
std::vector<StepFile> step_files_in(const std::filesystem::path& folder, const char* kind);

// The keyframes of a run, steps to look back at, beside its states: `moments/step-<N>.safetensors`, parameters only.

/// Makes the folder match the timeline: writes missing steps and removes those that the timeline has dropped. Throws
/// Error that names a file that cannot be written; existing files are kept.
void write_keyframes(const std::filesystem::path& folder, const Timeline& timeline);

/// The steps up to `up_to`, oldest first; skips those that are damaged or have another number of parameters. Throws
/// SystemError if the system cannot read one.
std::vector<Timeline::Keyframe> read_keyframes(const std::filesystem::path& folder, std::size_t parameter_count,
                                               std::int64_t up_to = std::numeric_limits<std::int64_t>::max());

/// Removes the steps after `step`, which the run no longer has.
void forget_keyframes_after(const std::filesystem::path& folder, std::int64_t step);

}  // namespace glassformer
