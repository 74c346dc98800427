#pragma once

#include "app/common/view_state.h"

namespace glassformer::app {

/// Which of the two sentences a window shows that shows only one: of two with a word of two meanings that in which this
/// word reads another word more strongly, so that the first picture says which word tells the meaning. Else the first.
int telling_sentence(const ViewState& state, const Snapshot& snapshot);

}  // namespace glassformer::app
