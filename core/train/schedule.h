#pragma once

#include <cstdint>
#include <string_view>

namespace glassformer {

enum class ScheduleKind { constant, cosine, linear };

/// The learning rate over the steps t = 1, 2, …, with p = min(1, t / total) and w = min(1, t / warmup):
///
///     constant   lr = peak
///     cosine     lr = peak · w · (floor + (1 − floor) · ½(1 + cos πp)): a linear warm-up under a cosine (Loshchilov &
///                Hutter 2017) that reaches `floor` of the peak at step `total`
///     linear     lr = peak · w until the warm-up is over, then straight down to floor · peak at step `total`
///
/// and `floor` of the peak from step `total` on.
struct Schedule {
    float peak = 5e-3f;
    std::int64_t warmup = 50;
    std::int64_t total = 1200;
    float floor = 0.05f;
    ScheduleKind kind = ScheduleKind::cosine;

    /// The learning rate of update number `step`, counted from 1.
    float at(std::int64_t step) const;
    /// In symbols, for people.
    std::string_view formula() const;

    bool operator==(const Schedule&) const = default;
};

/// Throws Error naming the number that is out of range.
void validate(const Schedule& schedule);

/// "constant", "cosine", "linear": the name in files and on the command line.
std::string_view name_of(ScheduleKind kind);
/// The kind of that name; throws Error listing those that there are.
ScheduleKind schedule_kind(std::string_view name);

}  // namespace glassformer
