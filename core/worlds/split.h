#pragma once

namespace glassformer {

/// What a model learns from, and what it is tested on.
enum class Split { train, held_out };

}  // namespace glassformer
