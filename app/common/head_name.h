#pragma once

#include <string>

#include "app/common/view_state.h"

namespace glassformer::app {

/// "block 0, head 3", or "block 0, cross head 3" of the attention to the source sentence.
std::string head_name(const HeadChoice& head, bool cross);

}  // namespace glassformer::app
