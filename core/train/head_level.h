#pragma once

#include "core/train/training_events.h"

namespace glassformer {

/// The score from which a head counts as having the ability. It is lower for telling words: a sentence has several, and
/// a head that uses them needs only a few.
constexpr float head_level(HeadAbility ability) {
    return ability == HeadAbility::telling_word ? HeadEvents::formed / 2 : HeadEvents::formed;
}

}  // namespace glassformer
