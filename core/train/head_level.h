#pragma once

#include "core/train/training_events.h"

namespace glassformer {

/// From which score on a head does what it is known for. Of the words that tell there are several, and a head that uses
/// them needs few of them.
constexpr float head_level(HeadAbility ability) {
    return ability == HeadAbility::telling_word ? HeadEvents::formed / 2 : HeadEvents::formed;
}

}  // namespace glassformer
