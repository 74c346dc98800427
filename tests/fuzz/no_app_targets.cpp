#include "tests/fuzz/targets.h"

namespace glassformer::fuzz {

std::span<const Target> app_targets() { return {}; }

}  // namespace glassformer::fuzz
