#pragma once

#include "app/common/frame.h"
#include "core/analysis/patching.h"

namespace glassformer::app::views::what_if {

/// From where in the other sentence each place of a card's sentence is patched. Sentences of one length: from the same
/// place (empty). Else from the same word, and the two chosen words belong together, so that a person can say which do.
PatchPartners patch_partners(const Frame& frame, int slot);

}  // namespace glassformer::app::views::what_if
