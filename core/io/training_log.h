#pragma once

#include <cstddef>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "core/train/head_score.h"
#include "core/train/timeline.h"

namespace glassformer {

// log.jsonl: how a training went, one JSON object a line:
//
//     {"step":50,"loss":2.88,"accuracy":0.55,"held_out_loss":2.9,"gradient_norm":0.8,"learning_rate":0.005,
//      "tokens_per_second":1e5,"heads":[[block,head,previous word,induction,duplicate token],…]}
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
TrainingLog parse_log(std::string_view text, const std::string& file, PartialLine torn,
                      std::vector<std::size_t>* ends = nullptr);

/// The curves as a table: a line of names, then step, loss, held-out loss, metric, gradient norm, learning rate and
/// tokens per second of each step, with nothing between the commas where a number was not measured.
std::string log_as_csv(std::span<const MetricPoint> points);

}  // namespace glassformer
