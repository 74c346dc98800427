#pragma once

#include <cstdint>
#include <vector>

#include "core/graph/parameters.h"

namespace glassformer {

/// One point of the training curves.
struct MetricPoint {
    std::int64_t step = 0;
    float loss = 0.0f;  // of that step's batch
    // Each of these is −1 where it was not measured.
    float accuracy = -1.0f;           // the world's metric on held-out data: a share, 0 … 1, or an error
    float held_out_loss = -1.0f;      // the same loss on sentences that training never sees
    float gradient_norm = -1.0f;      // before clipping
    float learning_rate = -1.0f;      // of that step's update
    float tokens_per_second = -1.0f;  // over the last steps

    bool operator==(const MetricPoint&) const = default;
};

/// Parameters over time: kept at steps 0, 1, 2, 4, … 64 and then at even distances. When more than `most` are kept,
/// the even distance doubles and every second of the even ones goes, so memory stays bounded for a run of any length.
class Timeline {
public:
    struct Keyframe {
        std::int64_t step = 0;
        Parameters parameters;
    };

    explicit Timeline(std::size_t most = 96) : most_(most) {}

    /// Whether the parameters after `step` updates are to be kept.
    bool wants(std::int64_t step) const;
    /// Steps must grow. Keeps the parameters whatever wants() says (the end of a run is kept too).
    void keep(std::int64_t step, Parameters parameters);
    /// The kept step nearest to `step`; the timeline must not be empty.
    const Keyframe& nearest(std::int64_t step) const;
    const std::vector<Keyframe>& keyframes() const { return keyframes_; }
    void clear();

private:
    static constexpr std::int64_t last_power = 64;

    void thin();

    std::size_t most_;
    std::int64_t distance_ = 32;
    std::vector<Keyframe> keyframes_;
};

}  // namespace glassformer
