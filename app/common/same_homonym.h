#pragma once

#include "app/common/frame.h"
#include "app/common/word_alignment.h"

namespace glassformer::app {

/// The places of the word with two meanings, where both sentences have the same one: it coincides with itself, whatever
/// that costs.
AlignedWord same_homonym(const Frame& frame);

}  // namespace glassformer::app
