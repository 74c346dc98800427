#pragma once

namespace glassformer {

/// Whether the current OpenGL context draws on the processor.
bool draws_in_software();

}  // namespace glassformer
