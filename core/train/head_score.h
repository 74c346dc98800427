#pragma once

#include <cstdint>
#include <vector>

namespace glassformer {

/// How far one head does what heads are known for, each 0 … 1: looks at the token before, at the token after the
/// earlier copy of its own (Olsson et al. 2022), at that copy itself (Wang et al. 2022).
struct HeadScore {
    int block = 0, head = 0;
    float previous_word = 0.0f, induction = 0.0f, duplicate_token = 0.0f;
    bool operator==(const HeadScore&) const = default;
};

/// All heads at one step of a training.
struct HeadScoresAt {
    std::int64_t step = 0;
    std::vector<HeadScore> scores;
    bool operator==(const HeadScoresAt&) const = default;
};

}  // namespace glassformer
