#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "core/base/mark_text.h"
#include "core/graph/graph.h"
#include "core/graph/parameters.h"
#include "core/nn/config.h"
#include "core/train/optimizer.h"

namespace glassformer {

enum class ScheduleKind { constant, cosine, linear };
template <>
inline constexpr auto enum_names<ScheduleKind> = names_up_to<ScheduleKind::linear>("constant", "cosine", "linear");

/// The learning rate over the steps t = 1, 2, …, with p = min(1, t / total) and w = min(1, t / warmup):
///
///     constant   lr = peak
///     cosine     lr = peak · w · (floor + (1 − floor) · ½(1 + cos πp)): a linear warm-up under a cosine (Loshchilov &
///                Hutter 2017) that reaches `floor` of the peak at step `total`
///     linear     lr = peak · w until the warm-up is over, then straight down to floor · peak at step `total`
///
/// and `floor` of the peak from step `total` on (cosine and linear).
struct Schedule {
    float peak = 5e-3f;
    std::int64_t warmup = 50;
    std::int64_t total = 1200;
    float floor = 0.05f;
    ScheduleKind kind = ScheduleKind::cosine;

    /// The learning rate of update number `step`, counted from 1.
    float at(std::int64_t step) const;
    /// In symbols, for display.
    std::string_view formula() const;

    bool operator==(const Schedule&) const = default;
};

template <MaybeConst<Schedule> Fields, class Visit>
void visit_fields(Fields& schedule, const Visit& visit) {
    visit("peak", schedule.peak);
    visit("warmup", schedule.warmup);
    visit("total", schedule.total);
    visit("floor", schedule.floor);
    visit("kind", schedule.kind);
}

/// Throws Error naming the value that is out of range.
void validate(const Schedule& schedule);

/// The kind with that name; throws Error listing the valid names.
inline ScheduleKind schedule_kind(std::string_view name) { return choice_of<ScheduleKind>(name, N_("schedule")); }

/// Cells of the flat parameter vector.
struct ParameterRange {
    std::int64_t offset = 0, count = 0;

    bool operator==(const ParameterRange&) const = default;
};

template <MaybeConst<ParameterRange> Fields, class Visit>
void visit_fields(Fields& range, const Visit& visit) {
    visit("offset", range.offset);
    visit("count", range.count);
}

/// The rows of W_O that one head writes through ([d_value, d_model] values): with these at 0 the head adds nothing to
/// the residual stream. `attention` is the layer ("blocks.0.attn", "blocks.1.cross_attn", "encoder.blocks.0.attn").
/// Throws Error naming the layer or head if the model does not have it.
ParameterRange head_output(const Graph& graph, const TransformerConfig& config, const std::string& attention, int head);

/// A head whose output is zero.
struct RemovedHead {
    std::string attention;  // its layer, as above
    int head = 0;

    bool operator==(const RemovedHead&) const = default;
};

/// The heads whose rows of W_O are among these ranges, in graph order.
std::vector<RemovedHead> heads_at(const Graph& graph, const TransformerConfig& config,
                                  std::span<const ParameterRange> ranges);
/// The heads whose rows of W_O are all 0, in graph order: the removed ones.
std::vector<RemovedHead> removed_heads(const Graph& graph, const TransformerConfig& config,
                                       const ParameterValues& parameters);

/// The most sentences per update.
inline constexpr int most_in_batch = 4096;

/// How a Trainer trains.
struct TrainOptions {
    Schedule schedule = {};
    OptimizerOptions optimizer = {};
    float clip = 1.0f;  // largest norm of the whole gradient
    int batch = 64;
    int longest = 0;          // tokens of the longest training sentence; 0: no limit
    float data_share = 1.0f;  // share of the world's training sentences, see BatchSource::part()
    std::uint64_t seed = 1;
    std::vector<ParameterRange> frozen_zero = {};  // cells that are 0 and stay 0: a removed head
    bool operator==(const TrainOptions&) const = default;
};

template <MaybeConst<TrainOptions> Fields, class Visit>
void visit_fields(Fields& options, const Visit& visit) {
    visit("schedule", options.schedule);
    visit("optimizer", options.optimizer);
    visit("clip", options.clip);
    visit("batch", options.batch);
    visit("seed", options.seed);
    visit("held_at_zero", options.frozen_zero);
    visit.where_set("longest", options.longest, 0);
    visit.where_set("data_share", options.data_share, 1.0f);
}

/// Throws Error naming the value that is out of range.
void validate(const TrainOptions& options);

}  // namespace glassformer
