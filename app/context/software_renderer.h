#pragma once

namespace glassformer {

/// Returns true if the current OpenGL context renders on the CPU.
bool draws_in_software();

/// Mesa's software renderer terminates the program if it runs out of memory. Returns false if there is too little
/// memory for it; if there is not much, makes it render without its own threads. Call this before opening a context.
bool has_room_for_opengl();

}  // namespace glassformer
